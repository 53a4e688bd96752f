/* ---- statements ---- */
static void scan_sql(H *s) {
    const char *p = s->sql, *end = p + s->sqllen;
    char w[16];
    int n = 0;
    static const struct {
        const char *w;
        int k;
    }
    K[] = { {"SELECT", 1}, {"WITH", 1}, {"UPDATE", 2}, {"DELETE", 3}, {"INSERT", 4}, {"CREATE", 5}, {"DROP", 6},
            {"ALTER", 7}, {"BEGIN", 8}, {"DECLARE", 9}, {"CALL", 10}, {"EXPLAIN", 15}, {"MERGE", 16}, {"ROLLBACK",
                    17}, {"COMMIT", 21} };
    int plsql, first = 1;
    s->kind = 0;
    while (p < end) {
        if (isspace((unsigned char)*p) || *p == '(') {
            p++;
            continue;
        }
        if (p + 1 < end && p[0] == '-' && p[1] == '-') {
            while (p < end && *p != '\n')
                p++;
            continue;
        }
        if (p + 1 < end && p[0] == '/' && p[1] == '*') {
            p += 2;
            while (p + 1 < end && !(p[0] == '*' && p[1] == '/'))
                p++;
            p += 2;
            continue;
        }
        break;
    } while (p < end && isalpha((unsigned char)*p) && n < 15)
        w[n++] = toupper(*p++);
    w[n] = 0;
    for (unsigned i = 0; i < sizeof K / sizeof *K; i++)
        if (!strcmp(w, K[i].w))
            s->kind = K[i].k;
    plsql = s->kind == 8 || s->kind == 9 || s->kind == 10;
    for (; p < end; p++) {
        if (p + 1 < end && p[0] == '-' && p[1] == '-') {
            while (p < end && *p != '\n')
                p++;
        } else if (p + 1 < end && p[0] == '/' && p[1] == '*') {
            p += 2;
            while (p + 1 < end && !(p[0] == '*' && p[1] == '/'))
                p++;
            p++;
        } else if (*p == '\'' || *p == '"') {
            char q = *p++;
            while (p < end && *p != q)
                p++;
        } else if (*p == ':' && p + 1 < end && (isalnum((unsigned char)p[1]) || p[1] == '_')) {
            const char *b = ++p;
            while (p < end && (isalnum((unsigned char)*p) || strchr("_$#", *p)))
                p++;
            char *nm = ndup(b, p - b);
            for (char *c = nm; *c; c++)
                *c = toupper(*c);
            int dup_ = 0;
            if (plsql)
                for (uint32_t i = 0; i < s->nbn; i++)
                    if (!strcmp(s->bn[i], nm))
                        dup_ = 1;
            if (dup_ || s->nbn >= 255)
                free(nm);
            else {
                s->bnl[s->nbn] = strlen(nm);
                s->bn[s->nbn++] = nm;
            }
            p--;
        }
        (void)first;
    }
}

int OCIStmtPrepare2(void *svc, void **st, void *e, const char *sql, uint32_t n, const char *k, uint32_t kn,
        uint32_t lang, uint32_t mode) {
    H *s = mk(H_STMT, ((H *)svc)->env);
    s->svc = svc;
    s->sql = ndup(sql, n);
    s->sqllen = n;
    scan_sql(s);
    uint64_t h = 1469598103934665603ull;
    for (uint32_t i = 0; i < n; i++)
        h = (h ^ (uint8_t)sql[i]) * 1099511628211ull;
    for (int i = 0; i < 13; i++) {
        s->sqlid[i] = "0123456789abcdfghjkmnpqrstuvwxyz"[h & 31];
        h = h >> 5 | h << 59;
    }
    *st = s;
    return OK;
}

int OCIStmtRelease(void *st, void *e, const char *k, uint32_t n, uint32_t mode) {
    H *s = st;
    if (s->cursor && s->svc->server && s->svc->server->link && !s->svc->server->link->dead) {
        Buf q = {0}, r = {0};
        p32(&q, s->cursor);
        rpc(s->svc->server->link, OP_CLOSE, &q, &r, e, 0, NULL);
        free(q.p);
        free(r.p);
    }
    stmt_free(s);
    return OK;
}

int OCIStmtGetBindInfo(void *st, void *e, uint32_t size, uint32_t start, int32_t *found, char *bvnp[],
        uint8_t bvnl[], char *invp[], uint8_t inpl[], uint8_t dupl[], void **hndl) {
    H *s = st;
    uint32_t i;
    if (!s->nbn) {
        *found = 0;
        return NO_DATA;
    }
    for (i = 0; i < size && start - 1 + i < s->nbn; i++) {
        uint32_t j = start - 1 + i;
        bvnp[i] = s->bn[j];
        bvnl[i] = s->bnl[j];
        invp[i] = NULL;
        inpl[i] = 0;
        dupl[i] = 0;
        for (uint32_t k = 0; k < j; k++)
            if (!strcmp(s->bn[k], s->bn[j]))
                dupl[i] = 1;
        hndl[i] = NULL;
    }
    *found = s->nbn;
    return OK;
}
