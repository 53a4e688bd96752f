/* Execute and fetch: values over the wire, in both directions. */
static void put_date(Buf *q, const OciDate *d, uint32_t fs) {
    p8(q, 3);
    put(q, &d->year, 2);
    p8(q, d->month);
    p8(q, d->day);
    p8(q, d->hour);
    p8(q, d->minute);
    p8(q, d->second);
    p32(q, fs);
}

static void put_bind(Buf *q, Bind *b, uint32_t row) {
    uint8_t *v = b->val ? b->val + (size_t)row * b->sz : NULL;
    uint32_t n = b->alen ? b->alen[row] : (uint32_t)b->sz;
    char t[200];
    if (b->icb) {
        /* dynamic bind: one piece */
        void *bp = NULL, *ip = NULL;
        uint32_t al = 0;
        uint8_t piece = 0;
        int (*cb)(void *, void *, uint32_t, uint32_t, void **, uint32_t *, uint8_t *, void **) = b->icb;
        cb(b->ictx, b, row, 0, &bp, &al, &piece, &ip);
        if (!bp || (ip && *(int16_t *)ip == -1)) {
            p8(q, 0);
            return;
        }
        p8(q, b->dty == T_BIN ? 4 : 1);
        pstr(q, bp, al);
        return;
    }
    if (!v || (b->ind && b->ind[row] == -1)) {
        p8(q, 0);
        return;
    }
    switch (b->dty) {
        case T_VNU:
        num_to_text(v, t);
        p8(q, 2);
        pstr(q, t, strlen(t));
        return;
        case T_INT:
        snprintf(t, sizeof t, "%lld", (long long)*(int64_t *)v);
        p8(q, 2);
        pstr(q, t, strlen(t));
        return;
        case T_UIN:
        snprintf(t, sizeof t, "%llu", (unsigned long long)*(uint64_t *)v);
        p8(q, 2);
        pstr(q, t, strlen(t));
        return;
        case T_BDOUBLE:
        snprintf(t, sizeof t, "%.17g", *(double *)v);
        p8(q, 2);
        pstr(q, t, strlen(t));
        return;
        case T_BFLOAT:
        snprintf(t, sizeof t, "%.9g", *(float *)v);
        p8(q, 2);
        pstr(q, t, strlen(t));
        return;
        case T_BOL:
        p8(q, 2);
        pstr(q, *(int *)v ? "1" : "0", 1);
        return;
        case T_ODT:
        put_date(q, (OciDate *)v, 0);
        return;
        case T_TS:
        case T_TSTZ:
        case T_TSLTZ:
        {
            H *d = *(H **)v;
            put_date(q, &d->dt, d->fsec);
            return;
        }
        case T_CLOB:
        case T_BLOB:
        {
            H *l = *(H **)v;
            p8(q, b->dty == T_CLOB ? 1 : 4);
            pstr(q, l->lob, l->lobn);
            return;
        }
        case T_BIN:
        p8(q, 4);
        pstr(q, v, n);
        return;
        default:
        p8(q, 1);
        pstr(q, v, n);
    }
}

int OCIStmtExecute(void *svc, void *st, void *e, uint32_t iters, uint32_t rowoff, const void *si, void *so,
        uint32_t mode) {
    H *s = st, *c = svc;
    Buf q = {0}, r = {0};
    int rc = OK;
    uint64_t total = 0;
    if (s->kind == 1)
        iters = 1;
    if (iters == 0)
        iters = 1;
    for (uint32_t it = rowoff; it < iters && rc == OK; it++) {
        q.n = 0;
        pstr(&q, s->sql, s->sqllen);
        p8(&q, (mode & 0x10) ? 1 : 0);
        p8(&q, (mode & 0x20) ? 1 : 0);
        p32(&q, s->cursor);
        p32(&q, s->nb);
        for (uint32_t i = 0; i < s->nb; i++) {
            p32(&q, s->b[i]->pos);
            pstr(&q, s->b[i]->name, s->b[i]->namelen);
            put_bind(&q, s->b[i], it);
        }
        s->perr = 0;
        rc = rpc(c->server->link, OP_EXEC, &q, &r, e, c->call_timeout, &s->perr);
        if (rc != OK)
            break;
        s->cursor = g32(&r);
        total += g64(&r);
        uint32_t nc = g32(&r);
        stmt_reset(s);
        s->cols = calloc(nc ? nc : 1, sizeof(Col));
        s->ncols = nc;
        s->done = 0;
        s->fetched = 0;
        for (uint32_t i = 0; i < nc; i++) {
            Col *k = &s->cols[i];
            k->name = gstr(&r, &k->nlen);
            k->type = g16(&r);
            k->size = g16(&r);
            k->prec = (int16_t)g16(&r);
            k->scale = (int8_t)g8(&r);
            k->null = g8(&r);
            if (k->type == 180)
                k->type = T_TS;
        }
    }
    s->affected = total;
    if (s->kind >= 2 && s->kind <= 4 && !(mode & 0x20))
        c->session->txn = 1;
    free(q.p);
    free(r.p);
    return rc;
}

static void to_date(Buf *r, OciDate *d, uint32_t *fs) {
    get(r, &d->year, 2);
    d->month = g8(r);
    d->day = g8(r);
    d->hour = g8(r);
    d->minute = g8(r);
    d->second = g8(r);
    *fs = g32(r);
}

/* store one value (type tag 0 null, 1 text, 2 number text, 3 date, 4 raw) in the define buffer */
static int store(H *s, uint32_t col, uint32_t row, Buf *r) {
    Def *d = col < 1000 ? s->d[col] : NULL;
    uint8_t tag = g8(r);
    OciDate dt = {0};
    uint32_t fs = 0, n = 0;
    char *t = NULL;
    if (tag == 3)
        to_date(r, &dt, &fs);
    else if (tag)
        t = gstr(r, &n);
    if (!d) {
        free(t);
        return OK;
    }
    if (d->ocb) {
        /* dynamic define: hand over in pieces */
        int (*cb)(void *, void *, uint32_t, void **, uint32_t **, uint8_t *, void **, uint16_t **) = d->ocb;
        uint32_t off = 0;
        do {
            void *bp, *ip;
            uint32_t *al;
            uint8_t pc = 0;
            uint16_t *rcp;
            if (cb(d->octx, d, row, &bp, &al, &pc, &ip, &rcp) != CONTINUE) {
                free(t);
                return ERR;
            }
            uint32_t k = n - off < *al ? n - off : *al;
            memcpy(bp, t + off, k);
            *al = k;
            *(int16_t *)ip = tag ? 0 : -1;
            off += k;
        } while (off < n);
        free(t);
        return OK;
    }
    if (d->rcode)
        d->rcode[row] = 0;
    if (!tag) {
        if (d->ind)
            d->ind[row] = -1;
        if (d->alen)
            d->alen[row] = 0;
        return OK;
    }
    if (d->ind)
        d->ind[row] = 0;
    uint8_t *v = d->val + (size_t)row * d->sz;
    switch (d->dty) {
        case T_VNU:
        num_from_text(t, v);
        break;
        case T_INT:
        *(int64_t *)v = strtoll(t, NULL, 10);
        break;
        case T_UIN:
        *(uint64_t *)v = strtoull(t, NULL, 10);
        break;
        case T_BDOUBLE:
        *(double *)v = strtod(t, NULL);
        break;
        case T_BFLOAT:
        *(float *)v = strtof(t, NULL);
        break;
        case T_BOL:
        *(int *)v = atoi(t);
        break;
        case T_ODT:
        *(OciDate *)v = dt;
        break;
        case T_TS:
        case T_TSTZ:
        case T_TSLTZ:
        {
            H *x = *(H **)v;
            x->dt = dt;
            x->fsec = fs;
            break;
        }
        case T_CLOB:
        case T_BLOB:
        {
            H *x = *(H **)v;
            free(x->lob);
            x->lob = (uint8_t *)t;
            x->lobn = n;
            t = NULL;
            break;
        }
        default:
        {
            uint32_t k = n;
            if (k > d->sz) {
                k = d->sz;
                if (d->rcode)
                    d->rcode[row] = 1406;
            }
            memcpy(v, t, k);
            if (d->alen)
                d->alen[row] = k;
        }
    }
    free(t);
    return OK;
}

int OCIStmtFetch2(void *st, void *e, uint32_t nrows, uint16_t orient, int32_t off, uint32_t mode) {
    H *s = st;
    Buf q = {0}, r = {0};
    s->fetched = 0;
    if (s->done)
        return NO_DATA;
    p32(&q, s->cursor);
    p32(&q, nrows);
    int rc = rpc(s->svc->server->link, OP_FETCH, &q, &r, e, s->svc->call_timeout, NULL);
    if (rc == OK) {
        uint32_t n = g32(&r);
        s->done = g8(&r);
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t c = 0; c < s->ncols; c++)
                if (store(s, c, i, &r) != OK)
                    rc = ERR;
        s->fetched = n;
        s->affected += n;
        if (s->done && rc == OK)
            rc = NO_DATA;
    }
    free(q.p);
    free(r.p);
    return rc;
}
