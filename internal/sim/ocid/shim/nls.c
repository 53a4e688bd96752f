/* ---- NLS: everything is AL32UTF8 ---- */
int OCINlsNumericInfoGet(void *h, void *e, int32_t *v, uint16_t item) {
    *v = 4;
    return OK;
}

int OCINlsEnvironmentVariableGet(void *v, size_t n, uint16_t item, uint16_t cs, size_t *r) {
    *(uint16_t *)v = 873;
    return OK;
}

int OCINlsCharSetConvert(void *h, void *e, uint16_t ds, void *d, size_t dn, uint16_t ss, const void *s, size_t n,
        size_t *r) {
    if (n > dn)
        n = dn;
    memcpy(d, s, n);
    *r = n;
    return OK;
}

int OCINlsCharSetIdToName(void *h, char *b, size_t n, uint16_t id) {
    snprintf(b, n, "AL32UTF8");
    return OK;
}

uint16_t OCINlsCharSetNameToId(void *h, const char *n) {
    return 873;
}

int OCINlsNameMap(void *h, char *b, size_t n, const char *s, uint32_t f) {
    snprintf(b, n, "%s", f ? "UTF-8" : "AL32UTF8");
    return OK;
}
