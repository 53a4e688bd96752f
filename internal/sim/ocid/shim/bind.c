/* Bind and define: where values come from and go to. */
static Bind *bindslot(H *s, uint32_t pos, const char *name, int n) {
    for (uint32_t i = 0; i < s->nb; i++)
        if (s->b[i]->pos == pos && s->b[i]->namelen == n && (!n || !strncasecmp(s->b[i]->name, name, n)))
            return s->b[i];
    if (s->nb >= 255)
        return NULL;
    Bind *b = calloc(1, sizeof *b);
    b->pos = pos;
    b->namelen = n;
    if (n)
        b->name = ndup(name, n);
    return s->b[s->nb++] = b;
}

static int bindset(H *s, H *e, Bind *b, void **bh, void *v, int64_t sz, uint16_t dty, void *ind, uint32_t *al,
        uint32_t maxarr) {
    if (!b)
        return seterr(e, 1745, "too many binds");
    b->val = v;
    b->sz = sz;
    b->dty = dty;
    b->ind = ind;
    b->alen = al;
    b->maxarr = maxarr;
    *bh = b;
    return OK;
}

int OCIBindByPos2(void *st, void **bh, void *e, uint32_t pos, void *v, int64_t sz, uint16_t dty, void *ind,
        uint32_t *al, uint16_t *rc, uint32_t ma, uint32_t *ce, uint32_t mode) {
    H *s = st;
    if (pos > s->nbn)
        return seterr(e, 1036, "unrecognized bind variable passed to the bind call");
    return bindset(s, e, bindslot(s, pos, NULL, 0), bh, v, sz, dty, ind, al, ma);
}

int OCIBindByName2(void *st, void **bh, void *e, const char *nm, int32_t nl, void *v, int64_t sz, uint16_t dty,
        void *ind, uint32_t *al, uint16_t *rc, uint32_t ma, uint32_t *ce, uint32_t mode) {
    H *s = st;
    if (nl && *nm == ':') {
        nm++;
        nl--;
    }
    int ok = 0;
    for (uint32_t i = 0; i < s->nbn; i++)
        if (s->bnl[i] == nl && !strncasecmp(s->bn[i], nm, nl))
            ok = 1;
    if (!ok)
        return seterr(e, 1036, "unrecognized bind variable passed to the bind call");
    return bindset(s, e, bindslot(s, 0, nm, nl), bh, v, sz, dty, ind, al, ma);
}

int OCIBindDynamic(void *b, void *e, void *ic, void *icb, void *oc, void *ocb) {
    Bind *x = b;
    x->ictx = ic;
    x->icb = icb;
    x->octx = oc;
    x->ocb = ocb;
    return OK;
}

int OCIDefineByPos2(void *st, void **dh, void *e, uint32_t pos, void *v, uint64_t sz, uint16_t dty, void *ind,
        uint32_t *al, uint16_t *rc, uint32_t mode) {
    H *s = st;
    if (pos < 1 || pos > 1000)
        return seterr(e, 1007, "variable not in select list");
    if (!s->d[pos - 1])
        s->d[pos - 1] = malloc(sizeof(Def));
    *s->d[pos - 1] = (Def){ .val = v, .sz = sz, .dty = dty, .ind = ind, .alen = al, .rcode = rc };
    *dh = s->d[pos - 1];
    return OK;
}

int OCIDefineDynamic(void *dh, void *e, void *oc, void *ocb) {
    Def *d = dh;
    d->octx = oc;
    d->ocb = ocb;
    return OK;
}
