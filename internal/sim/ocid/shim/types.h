/* What every part of the shim needs. */
#define _GNU_SOURCE
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <limits.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { OK = 0, WITH_INFO = 1, NO_DATA = 100, ERR = -1, BAD_HANDLE = -2, CONTINUE = -24200 };
enum { H_ENV = 1, H_ERROR, H_SVC, H_STMT, H_BIND, H_DEFINE, H_DESCRIBE, H_SERVER, H_SESSION, H_TRANS, H_SPOOL = 27,
        H_PARAM = 53, D_LOB = 50, D_IDS = 63 };
enum { OP_CONNECT = 1, OP_EXEC, OP_FETCH, OP_CLOSE, OP_PING, OP_COMMIT, OP_ROLLBACK, OP_LOGOFF, OP_BREAK };
enum { T_CHR = 1, T_NUM = 2, T_INT = 3, T_FLT = 4, T_VNU = 6, T_DAT = 12, T_BFLOAT = 21, T_BDOUBLE = 22, T_BIN = 23,
        T_UIN = 68, T_AFC = 96, T_CLOB = 112, T_BLOB = 113, T_ODT = 156, T_TS = 187, T_TSTZ = 188, T_IDS = 190,
                T_TSLTZ = 232, T_BOL = 252 };

typedef struct {
    uint8_t *p;
    uint32_t n, cap, rd;
} Buf;

typedef struct {
    char *name;
    uint32_t nlen;
    uint16_t type, size;
    int16_t prec;
    int8_t scale;
    uint8_t null, form;
    uint32_t magic;
} Col;

typedef struct {
    char *name;
    int namelen;
    uint32_t pos;
    uint8_t *val;
    int64_t sz;
    uint16_t dty;
    int16_t *ind;
    uint32_t *alen;
    void *ictx, *octx;
    void *icb, *ocb;
    uint32_t maxarr;
} Bind;

typedef struct {
    uint8_t *val;
    uint64_t sz;
    uint16_t dty;
    int16_t *ind;
    uint32_t *alen;
    uint16_t *rcode;
    void *octx;
    void *ocb;
} Def;

typedef struct {
    int fd, dead, running;
    uint32_t cursor_seq, version, sid;
    pthread_mutex_t call, wr;
    char *banner, *db, *inst, *svc;
} Link;

typedef struct {
    int16_t year;
    uint8_t month, day, hour, minute, second;
} OciDate;

/* one structure serves every handle and descriptor type */
typedef struct H {
    uint32_t magic, type;
    struct H *env, *server, *session, *pool;
    /* error */
    int32_t code;
    char msg[1024];
    /* server */
    Link *link;
    char *connstr;
    /* session / authinfo */
    char *user, *pass;
    uint32_t mode;
    int txn;
    void *ctxval[8];
    char *ctxkey[8];
    /* svc */
    uint32_t cache, call_timeout;
    struct H *err_owner;
    /* stmt */
    struct H *svc;
    char *sql;
    uint32_t sqllen;
    uint16_t kind, perr;
    Col *cols;
    uint32_t ncols;
    uint32_t nb;
    uint32_t nbn;
    uint32_t cursor, fetched;
    int done;
    uint64_t affected;
    char sqlid[14];
    uint32_t prefetch;
    /* timestamp / interval */
    OciDate dt;
    uint32_t fsec;
    int8_t tzh, tzm;
    int32_t iv[5];
    /* lob */
    uint8_t *lob;
    uint64_t lobn;
    int loberr;
    /* pool */
    int nfree, open, busy, maxs;
    /* of an array of descriptors: how many, in the first one */
    uint32_t count;
    /* the long arrays; only statements and pools have memory for them */
    Bind *b[256];
    char *bn[256];
    uint8_t bnl[256];
    Def *d[1000];
    struct H *freelist[256];
} H;

#define MAGIC 0x0c1e0c1e
