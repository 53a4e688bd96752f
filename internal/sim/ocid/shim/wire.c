/* Frames on the socket: length, opcode, body; the answer is length, status, body. */
/* ---- buffers and wire ---- */
static void need(Buf *b, uint32_t k) {
    if (b->n + k > b->cap) {
        b->cap = (b->n + k) * 2 + 64;
        b->p = realloc(b->p, b->cap);
    }
}

static void put(Buf *b, const void *p, uint32_t k) {
    need(b, k);
    if (k)
        memcpy(b->p + b->n, p, k);
    b->n += k;
}

static void p8(Buf *b, uint8_t v) {
    put(b, &v, 1);
}

static void p32(Buf *b, uint32_t v) {
    put(b, &v, 4);
}

static void pstr(Buf *b, const void *s, uint32_t n) {
    p32(b, n);
    put(b, s, n);
}

static void get(Buf *b, void *o, uint32_t k) {
    if (b->rd + k > b->n) {
        memset(o, 0, k);
        b->rd = b->n;
        return;
    }
    memcpy(o, b->p + b->rd, k);
    b->rd += k;
}

static uint8_t g8(Buf *b) {
    uint8_t v;
    get(b, &v, 1);
    return v;
}

static uint16_t g16(Buf *b) {
    uint16_t v;
    get(b, &v, 2);
    return v;
}

static uint32_t g32(Buf *b) {
    uint32_t v;
    get(b, &v, 4);
    return v;
}

static uint64_t g64(Buf *b) {
    uint64_t v;
    get(b, &v, 8);
    return v;
}

static char *gstr(Buf *b, uint32_t *n) {
    uint32_t k = g32(b);
    if (b->rd + k > b->n)
        k = 0;
    char *s = malloc(k + 1);
    get(b, s, k);
    s[k] = 0;
    if (n)
        *n = k;
    return s;
}

static int wall(int fd, const uint8_t *p, size_t n) {
    while (n) {
        ssize_t k = send(fd, p, n, MSG_NOSIGNAL);
        if (k <= 0) {
            if (k < 0 && errno == EINTR)
                continue;
            return -1;
        }
        p += k;
        n -= k;
    }
    return 0;
}

static int rall(int fd, uint8_t *p, size_t n) {
    while (n) {
        ssize_t k = read(fd, p, n);
        if (k <= 0) {
            if (k < 0 && errno == EINTR)
                continue;
            return -1;
        }
        p += k;
        n -= k;
    }
    return 0;
}

static int seterr(H *e, int code, const char *msg) {
    if (e && e->magic == MAGIC) {
        e->code = code;
        snprintf(e->msg, sizeof e->msg, "ORA-%05d: %s\n", code, msg);
    }
    return ERR;
}

static int frame(Link *l, uint8_t op, Buf *b) {
    uint8_t h[5];
    uint32_t n = b ? b->n : 0;
    memcpy(h, &n, 4);
    h[4] = op;
    pthread_mutex_lock(&l->wr);
    int r = wall(l->fd, h, 5);
    if (!r && n)
        r = wall(l->fd, b->p, n);
    pthread_mutex_unlock(&l->wr);
    return r;
}

static int lost(Link *l, H *e) {
    l->dead = 1;
    return seterr(e, 3113, "end-of-file on communication channel");
}

/* one request, one answer; answer status 0 = ok, 1 = ORA error {code, offset, msg} */
static int rpc(Link *l, uint8_t op, Buf *req, Buf *rsp, H *e, uint32_t timeout_ms, uint16_t *perr) {
    if (!l || l->dead)
        return seterr(e, 3114, "not connected to ORACLE");
    pthread_mutex_lock(&l->call);
    int rc = OK;
    uint8_t h[5];
    uint32_t n;
    int timed_out = 0;
    l->running = 1;
    if (frame(l, op, req)) {
        rc = lost(l, e);
        goto out;
    }
    if (timeout_ms) {
        struct pollfd pf = { l->fd, POLLIN, 0 };
        if (poll(&pf, 1, (int)timeout_ms) == 0) {
            timed_out = 1;
            frame(l, OP_BREAK, NULL);
        }
    }
    if (rall(l->fd, h, 5)) {
        rc = lost(l, e);
        goto out;
    }
    memcpy(&n, h, 4);
    rsp->n = rsp->rd = 0;
    need(rsp, n + 1);
    rsp->n = n;
    if (rall(l->fd, rsp->p, n)) {
        rc = lost(l, e);
        goto out;
    }
    if (h[4]) {
        int code = (int)g32(rsp);
        uint16_t off = (uint16_t)g32(rsp);
        char *m = gstr(rsp, NULL);
        if (perr)
            *perr = off;
        rc = seterr(e, code, m);
        free(m);
        if (code == 28 || code == 31 || code == 603 || code == 1012 || code == 1089 || code == 1092 || code == 3113 ||
                code == 3114)
            l->dead = 1;
    }
    if (timed_out && rc == ERR && e->code == 1013)
        seterr(e, 3156, "OCI call timed out");
    out: l->running = 0;
    pthread_mutex_unlock(&l->call);
    return rc;
}
