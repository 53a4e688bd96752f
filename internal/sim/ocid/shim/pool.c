/* session pool: keeps idle service contexts, no wait queue */
int OCISessionPoolCreate(void *env, void *e, void *sp, char **name, uint32_t *nn, const char *cs, uint32_t csn,
        uint32_t mn, uint32_t mx, uint32_t inc, const char *u, uint32_t un, const char *p, uint32_t pn,
                uint32_t mode) {
    H *x = sp;
    if (cs)
        x->connstr = ndup(cs, csn);
    if (u)
        x->user = ndup(u, un);
    if (p)
        x->pass = ndup(p, pn);
    x->maxs = mx;
    char b[64];
    snprintf(b, sizeof b, "OCIEMU%p", sp);
    *name = strdup(b);
    *nn = strlen(b);
    x->sql = *name;
    return OK;
}

int OCISessionGet(void *env, void *e, void **svc, void *auth, const char *pn, uint32_t pnl, const char *ti,
        uint32_t tn, const char **rt, uint32_t *rtn, int *found, uint32_t mode) {
    H *au = auth, *pool = NULL;
    if (found)
        *found = 0;
    if (rt)
        *rt = NULL;
    if (rtn)
        *rtn = 0;
    if (mode & 1) {
        void *p = NULL;
        char b[80];
        snprintf(b, sizeof b, "%.*s", (int)pnl, pn);
        sscanf(b, "OCIEMU%p", &p);
        pool = p;
        if (!pool || pool->magic != MAGIC)
            return seterr(e, 24416, "Invalid session Poolname was specified");
    }
    if (pool && pool->nfree) {
        *svc = pool->freelist[--pool->nfree];
        pool->busy++;
        return OK;
    }
    if (pool && pool->busy >= pool->maxs)
        return seterr(e, 24418, "Cannot open further sessions");
    H *s = mk(H_SVC, env), *srv = mk(H_SERVER, env), *ses = mk(H_SESSION, env);
    s->server = srv;
    s->session = ses;
    s->pool = pool;
    const char *u = au && au->user ? au->user : pool ? pool->user : NULL, *p = au && au->pass ? au->pass : pool
            ? pool->pass : NULL;
    if (u)
        ses->user = strdup(u);
    if (p)
        ses->pass = strdup(p);
    if (pool)
        srv->connstr = strdup(pool->connstr ? pool->connstr : "");
    else
        attach(srv, e, pn, pnl);
    if (logon(srv, ses, e, mode & 0x100 ? 2 : 0)) {
        OCIHandleFree(ses, H_SESSION);
        OCIHandleFree(srv, H_SERVER);
        free(s);
        return ERR;
    }
    if (pool) {
        pool->open++;
        pool->busy++;
    }
    *svc = s;
    return OK;
}

int OCISessionRelease(void *svc, void *e, const char *t, uint32_t n, uint32_t mode) {
    H *s = svc, *p = s->pool;
    if (p)
        p->busy--;
    if (p && !(mode & 1) && p->nfree < 256 && s->server->link && !s->server->link->dead) {
        p->freelist[p->nfree++] = s;
        return OK;
    }
    if (p)
        p->open--;
    OCISessionEnd(s, e, s->session, 0);
    OCIHandleFree(s->session, H_SESSION);
    OCIHandleFree(s->server, H_SERVER);
    s->magic = 0;
    free(s);
    return OK;
}

int OCISessionPoolDestroy(void *sp, void *e, uint32_t m) {
    H *p = sp;
    while (p->nfree) {
        H *s = p->freelist[--p->nfree];
        s->pool = NULL;
        OCISessionRelease(s, e, NULL, 0, 1);
    }
    return OK;
}

int OCIContextGetValue(void *h, void *e, const char *k, uint8_t n, void **v) {
    H *s = h;
    *v = NULL;
    for (int i = 0; i < 8; i++)
        if (s->ctxkey[i] && !strncmp(s->ctxkey[i], k, n))
            *v = s->ctxval[i];
    return OK;
}

int OCIContextSetValue(void *h, void *e, uint16_t d, const char *k, uint8_t n, void *v) {
    H *s = h;
    for (int i = 0; i < 8; i++)
        if (!s->ctxkey[i] || !strncmp(s->ctxkey[i], k, n)) {
        if (!s->ctxkey[i])
            s->ctxkey[i] = ndup(k, n);
        s->ctxval[i] = v;
        return OK;
    }
    return OK;
}

int OCIMemoryAlloc(void *h, void *e, void **m, uint16_t d, uint32_t n, uint32_t f) {
    *m = calloc(1, n);
    return OK;
}

int OCIMemoryFree(void *h, void *e, void *m) {
    free(m);
    return OK;
}

static int simple(H *svc, void *e, uint8_t op) {
    Buf r = {0};
    int rc = rpc(svc->server->link, op, NULL, &r, e, svc->call_timeout, NULL);
    free(r.p);
    return rc;
}

int OCIPing(void *svc, void *e, uint32_t m) {
    return simple(svc, e, OP_PING);
}

int OCITransCommit(void *svc, void *e, uint32_t f) {
    ((H *)svc)->session->txn = 0;
    return simple(svc, e, OP_COMMIT);
}

int OCITransRollback(void *svc, void *e, uint32_t f) {
    ((H *)svc)->session->txn = 0;
    return simple(svc, e, OP_ROLLBACK);
}

int OCIBreak(void *h, void *e) {
    H *x = h;
    Link *l = x->type == H_SVC ? x->server->link : x->link;
    if (l && l->running)
        frame(l, OP_BREAK, NULL);
    return OK;
}
