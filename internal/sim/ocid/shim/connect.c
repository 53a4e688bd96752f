/* ---- connect ---- */
static int attach(H *srv, H *e, const char *cs, int n) {
    srv->connstr = ndup(cs ? cs : "", cs ? n : 0);
    return OK;
}

int OCIServerAttach(void *srv, void *e, const char *cs, int32_t n, uint32_t mode) {
    return attach(srv, e, cs, n);
}

/* The server left the path of its socket in a file beside this library. */
static int socket_path(char *out, size_t n) {
    Dl_info info;
    char name[PATH_MAX];
    if (!dladdr((void *)socket_path, &info) || !info.dli_fname)
        return -1;
    const char *slash = strrchr(info.dli_fname, '/');
    int len = slash ? (int)(slash - info.dli_fname) + 1 : 0;
    if (snprintf(name, sizeof name, "%.*ssocket", len, info.dli_fname) >= (int)sizeof name)
        return -1;
    FILE *f = fopen(name, "re");
    if (!f)
        return -1;
    size_t got = fread(out, 1, n - 1, f);
    fclose(f);
    out[got] = 0;
    return got ? 0 : -1;
}

static int logon(H *srv, H *ses, H *e, uint32_t mode) {
    char path[sizeof ((struct sockaddr_un *)0)->sun_path];
    if (socket_path(path, sizeof path))
        return seterr(e, 12154, "TNS:could not resolve the connect identifier specified");
    struct sockaddr_un a = { .sun_family = AF_UNIX };
    snprintf(a.sun_path, sizeof a.sun_path, "%s", path);
    Link *l = calloc(1, sizeof *l);
    pthread_mutex_init(&l->call, NULL);
    pthread_mutex_init(&l->wr, NULL);
    l->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(l->fd, (void *)&a, sizeof a)) {
        link_free(l);
        return seterr(e, 12541, "TNS:no listener");
    }
    Buf q = {0}, r = {0};
    pstr(&q, ses->user ? ses->user : "", ses->user ? strlen(ses->user) : 0);
    pstr(&q, ses->pass ? ses->pass : "", ses->pass ? strlen(ses->pass) : 0);
    pstr(&q, srv->connstr, strlen(srv->connstr));
    p32(&q, mode);
    int rc = rpc(l, OP_CONNECT, &q, &r, e, 0, NULL);
    if (rc == OK) {
        l->version = g32(&r);
        l->sid = g32(&r);
        l->banner = gstr(&r, NULL);
        l->db = gstr(&r, NULL);
        l->inst = gstr(&r, NULL);
        l->svc = gstr(&r, NULL);
        srv->link = l;
    } else
        link_free(l);
    free(q.p);
    free(r.p);
    return rc;
}

int OCISessionBegin(void *svc, void *e, void *ses, uint32_t cred, uint32_t mode) {
    H *s = svc;
    return logon(s->server, ses, e, mode & 0xffff & ~0x40u);
}

int OCISessionEnd(void *svc, void *e, void *ses, uint32_t m) {
    H *s = svc;
    Buf r = {0};
    if (s->server->link && !s->server->link->dead)
        rpc(s->server->link, OP_LOGOFF, NULL, &r, e, 0, NULL);
    free(r.p);
    return OK;
}

int OCIServerDetach(void *srv, void *e, uint32_t m) {
    H *s = srv;
    link_free(s->link);
    s->link = NULL;
    return OK;
}

int OCIServerRelease2(void *svc, void *e, char *b, uint32_t n, uint8_t ht, uint32_t *v, uint32_t mode) {
    H *s = svc;
    Link *l = s->server->link;
    if (!l)
        return seterr(e, 3114, "not connected to ORACLE");
    *v = l->version;
    if (b)
        snprintf(b, n, "%s", l->banner);
    return OK;
}

int OCIServerRelease(void *svc, void *e, char *b, uint32_t n, uint8_t ht, uint32_t *v) {
    return OCIServerRelease2(svc, e, b, n, ht, v, 0);
}
