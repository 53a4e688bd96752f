/* ---- environment, handles, errors ---- */
/* Only statements and pools need the long arrays at the end of H. */
static size_t size_of(uint32_t type) {
    return type == H_STMT || type == H_SPOOL ? sizeof(H) : offsetof(H, b);
}

static H *mk(uint32_t type, H *env) {
    H *h = calloc(1, size_of(type));
    if (!h)
        abort();
    h->magic = MAGIC;
    h->type = type;
    h->env = env;
    h->cache = 20;
    return h;
}

void OCIClientVersion(int *a, int *b, int *c, int *d, int *e) {
    *a = 19;
    *b = 23;
    *c = 0;
    *d = 0;
    *e = 0;
}

void OCIThreadProcessInit(void) {
}

int OCIThreadKeyInit(void *h, void *e, void **key, void *dest) {
    pthread_key_t *k = malloc(sizeof *k);
    *key = k;
    return pthread_key_create(k, (void (*)(void *))dest) ? ERR : OK;
}

int OCIThreadKeyGet(void *h, void *e, void *key, void **v) {
    *v = pthread_getspecific(*(pthread_key_t *)key);
    return OK;
}

int OCIThreadKeySet(void *h, void *e, void *key, void *v) {
    return pthread_setspecific(*(pthread_key_t *)key, v) ? ERR : OK;
}

int OCIThreadKeyDestroy(void *h, void *e, void **key) {
    pthread_key_delete(*(pthread_key_t *)*key);
    free(*key);
    *key = NULL;
    return OK;
}

int OCIEnvNlsCreate(void **env, uint32_t mode, void *c, void *m, void *r, void *f, size_t x, void **u, uint16_t cs,
        uint16_t ncs) {
    *env = mk(H_ENV, NULL);
    return OK;
}

int OCIHandleAlloc(const void *parent, void **out, uint32_t type, size_t x, void **u) {
    *out = mk(type, (H *)parent);
    return OK;
}

static void stmt_reset(H *s) {
    for (uint32_t i = 0; i < s->ncols; i++)
        free(s->cols[i].name);
    free(s->cols);
    s->cols = NULL;
    s->ncols = 0;
}

static void stmt_free(H *s) {
    stmt_reset(s);
    for (uint32_t i = 0; i < s->nb; i++) {
        free(s->b[i]->name);
        free(s->b[i]);
    }
    for (uint32_t i = 0; i < s->nbn; i++)
        free(s->bn[i]);
    for (int i = 0; i < 1000; i++)
        free(s->d[i]);
    free(s->sql);
    s->magic = 0;
    free(s);
}

static void link_free(Link *l) {
    if (!l)
        return;
    if (l->fd >= 0)
        close(l->fd);
    free(l->banner);
    free(l->db);
    free(l->inst);
    free(l->svc);
    free(l);
}

int OCIHandleFree(void *h, uint32_t type) {
    H *x = h;
    if (!x || x->magic != MAGIC)
        return BAD_HANDLE;
    if (type == H_STMT) {
        stmt_free(x);
        return OK;
    }
    if (type == H_SERVER) {
        link_free(x->link);
        free(x->connstr);
    }
    if (type == H_SESSION) {
        free(x->user);
        free(x->pass);
    }
    x->magic = 0;
    free(x);
    return OK;
}

int OCIDescriptorAlloc(const void *p, void **o, uint32_t type, size_t x, void **u) {
    *o = mk(type, (H *)p);
    return OK;
}

/* An array of descriptors is one block; the first one knows how many. */
int OCIArrayDescriptorAlloc(const void *p, void **o, uint32_t type, uint32_t n, size_t x, void **u) {
    size_t each = (size_of(type) + 15) & ~(size_t)15;
    uint8_t *block = calloc(n, each);
    if (!block)
        return ERR;
    for (uint32_t i = 0; i < n; i++) {
        H *d = (H *)(block + i * each);
        d->magic = MAGIC;
        d->type = type;
        d->env = (H *)p;
        o[i] = d;
    }
    ((H *)block)->count = n;
    return OK;
}

int OCIDescriptorFree(void *d, uint32_t type) {
    H *x = d;
    if (!x || type == H_PARAM)
        return OK;
    free(x->lob);
    x->magic = 0;
    free(x);
    return OK;
}

int OCIArrayDescriptorFree(void **d, uint32_t type) {
    H *first = d[0];
    uint32_t n = first->count;
    for (uint32_t i = 0; i < n; i++)
        free(((H *)d[i])->lob);
    free(first);
    return OK;
}

int OCIErrorGet(void *h, uint32_t rec, char *st, int32_t *code, char *buf, uint32_t n, uint32_t type) {
    H *e = h;
    if (rec > 1 || !e->code)
        return NO_DATA;
    *code = e->code;
    snprintf(buf, n, "%s", e->msg);
    return OK;
}
