/* ---- attributes ---- */
static char *ndup(const void *p, uint32_t n) {
    char *s = malloc(n + 1);
    memcpy(s, p, n);
    s[n] = 0;
    return s;
}

int OCIAttrSet(void *h, uint32_t ht, void *a, uint32_t n, uint32_t at, void *e) {
    H *x = h;
    if (!x)
        return BAD_HANDLE;
    if (ht == H_SVC) {
        if (at == 6)
            x->server = a;
        else if (at == 7)
            x->session = a;
        else if (at == 176)
            x->cache = *(uint32_t *)a;
        else if (at == 531)
            x->call_timeout = *(uint32_t *)a;
    } else if (ht == H_SESSION) {
        if (at == 22) {
            free(x->user);
            x->user = ndup(a, n);
        } else if (at == 23) {
            free(x->pass);
            x->pass = ndup(a, n);
        }
    }
    return OK;
}

static int sattr(void *out, uint32_t *n, const char *s) {
    if (!s)
        s = "";
    *(const char **)out = s;
    if (n)
        *n = (uint32_t)strlen(s);
    return OK;
}

int OCIAttrGet(const void *h, uint32_t ht, void *out, uint32_t *n, uint32_t at, void *e) {
    H *x = (H *)h;
    switch (ht) {
        case H_ENV:
        *(uint16_t *)out = 873;
        return OK;
        case H_ERROR:
        *(int *)out = 0;
        return OK;
        case H_SVC:
        if (at == 6)
            *(void **)out = x->server;
        else if (at == 7)
            *(void **)out = x->session;
        else if (at == 5)
            *(void **)out = x->env;
        else if (at == 176)
            *(uint32_t *)out = x->cache;
        else if (at == 531)
            *(uint32_t *)out = x->call_timeout;
        else if (at == 500)
            *(uint8_t *)out = 128;
        else if (at == 524)
            return sattr(out, n, x->server->link->db);
        else
            return NO_DATA;
        return OK;
        case H_SERVER:
        switch (at) {
            case 31:
            *(uint16_t *)out = 873;
            return OK;
            case 143:
            {
                int up = x->link && !x->link->dead;
                char c;
                if (up && !x->link->running && recv(x->link->fd, &c, 1, MSG_PEEK | MSG_DONTWAIT) == 0) {
                    x->link->dead = 1;
                    up = 0;
                }
                *(uint32_t *)out = up;
                return OK;
            }
            case 391:
            return sattr(out, n, x->link->db);
            case 392:
            return sattr(out, n, x->link->inst);
            case 393:
            return sattr(out, n, x->link->svc);
            case 399:
            case 25:
            case 26:
            return sattr(out, n, "");
            case 436:
            *(uint32_t *)out = 0;
            return OK;
            case 495:
            *(uint8_t *)out = 0;
            return OK;
        }
        return NO_DATA;
        case H_SESSION:
        if (at == 484) {
            *(int *)out = x->txn;
            return OK;
        }
        if (at == 471) {
            *(uint32_t *)out = 300;
            return OK;
        }
        if (at == 224)
            return sattr(out, n, x->user);
        if (at == 288)
            return sattr(out, n, "ORA$BASE");
        return NO_DATA;
        case H_STMT:
        switch (at) {
            case 24:
            *(uint16_t *)out = x->kind;
            return OK;
            case 18:
            *(uint32_t *)out = x->ncols;
            return OK;
            case 197:
            *(uint32_t *)out = x->fetched;
            return OK;
            case 457:
            *(uint64_t *)out = x->affected;
            return OK;
            case 9:
            *(uint32_t *)out = (uint32_t)x->affected;
            return OK;
            case 129:
            *(uint16_t *)out = x->perr;
            return OK;
            case 218:
            *(uint8_t *)out = 0;
            return OK;
            case 190:
            *(uint32_t *)out = x->nbn;
            return OK;
            case 504:
            return sattr(out, n, x->sqlid);
            case 144:
            *(char **)out = x->sql;
            *n = x->sqllen;
            return OK;
            case 73:
            *(uint32_t *)out = 0;
            return OK;
        }
        return NO_DATA;
        case H_DESCRIBE:
        {
            Col *c = (Col *)h;
            switch (at) {
                case 4:
                *(char **)out = c->name;
                *n = c->nlen;
                return OK;
                case 2:
                *(uint16_t *)out = c->type;
                return OK;
                case 32:
                *(uint8_t *)out = 1;
                return OK;
                case 6:
                *(int8_t *)out = c->scale;
                return OK;
                case 5:
                *(int16_t *)out = c->prec;
                return OK;
                case 1:
                case 286:
                *(uint16_t *)out = c->size;
                return OK;
                case 7:
                *(uint8_t *)out = c->null;
                return OK;
                case 534:
                case 623:
                *(uint8_t *)out = 0;
                return OK;
            }
            return NO_DATA;
        }
        case H_SPOOL:
        if (at == 310)
            *(uint32_t *)out = x->busy;
        else if (at == 311)
            *(uint32_t *)out = x->open;
        else if (at == 309)
            *(uint8_t *)out = 0;
        else
            *(uint32_t *)out = 0;
        return OK;
    }
    return NO_DATA;
}

int OCIParamGet(const void *h, uint32_t ht, void *e, void **p, uint32_t pos) {
    H *s = (H *)h;
    if (ht != H_STMT || pos < 1 || pos > s->ncols)
        return seterr(e, 24334, "no descriptor for this position");
    *p = &s->cols[pos - 1];
    return OK;
}
