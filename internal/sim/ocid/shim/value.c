/* ---- numbers, dates, LOBs ---- */
int OCINumberFromInt(void *e, const void *v, unsigned n, unsigned sg, void *o) {
    char t[40];
    if (sg == 2)
        snprintf(t, sizeof t, "%lld", (long long)(n == 8 ? *(int64_t *)v : *(int32_t *)v));
    else
        snprintf(t, sizeof t, "%llu", (unsigned long long)(n == 8 ? *(uint64_t *)v : *(uint32_t *)v));
    num_from_text(t, o);
    return OK;
}

int OCINumberFromReal(void *e, const void *v, unsigned n, void *o) {
    char t[64];
    snprintf(t, sizeof t, "%.15g", n == 8 ? *(double *)v : (double)*(float *)v);
    num_from_text(t, o);
    return OK;
}

int OCINumberToInt(void *e, const void *v, unsigned n, unsigned sg, void *o) {
    char t[200];
    num_to_text(v, t);
    char *dot = strchr(t, '.');
    if (dot)
        *dot = 0;
    if (sg == 2) {
        errno = 0;
        long long x = strtoll(t, NULL, 10);
        if (errno)
            return seterr(e, 22053, "overflow error");
        if (n == 8)
            *(int64_t *)o = x;
        else
            *(int32_t *)o = x;
    } else {
        errno = 0;
        unsigned long long x = strtoull(t, NULL, 10);
        if (errno || *t == '-')
            return seterr(e, 22053, "overflow error");
        *(uint64_t *)o = x;
    }
    return OK;
}

int OCINumberToReal(void *e, const void *v, unsigned n, void *o) {
    char t[200];
    num_to_text(v, t);
    if (n == 8)
        *(double *)o = strtod(t, NULL);
    else
        *(float *)o = strtof(t, NULL);
    return OK;
}

int OCIDateTimeConstruct(void *h, void *e, void *d, int16_t y, uint8_t mo, uint8_t dy, uint8_t hh, uint8_t mi,
        uint8_t ss, uint32_t fs, const char *tz, size_t tn) {
    H *x = d;
    x->dt = (OciDate){ y, mo, dy, hh, mi, ss };
    x->fsec = fs;
    x->tzh = x->tzm = 0;
    if (tz && tn >= 6) {
        int a = 0, b = 0;
        char t[8];
        snprintf(t, sizeof t, "%.6s", tz);
        sscanf(t + 1, "%d:%d", &a, &b);
        x->tzh = t[0] == '-' ? -a : a;
        x->tzm = t[0] == '-' ? -b : b;
    }
    return OK;
}

int OCIDateTimeConvert(void *h, void *e, void *i, void *o) {
    H *a = i, *b = o;
    b->dt = a->dt;
    b->fsec = a->fsec;
    return OK;
}

int OCIDateTimeGetDate(void *h, void *e, const void *d, int16_t *y, uint8_t *m, uint8_t *dy) {
    const H *x = d;
    *y = x->dt.year;
    *m = x->dt.month;
    *dy = x->dt.day;
    return OK;
}

int OCIDateTimeGetTime(void *h, void *e, void *d, uint8_t *hh, uint8_t *mi, uint8_t *ss, uint32_t *fs) {
    H *x = d;
    *hh = x->dt.hour;
    *mi = x->dt.minute;
    *ss = x->dt.second;
    *fs = x->fsec;
    return OK;
}

int OCIDateTimeGetTimeZoneOffset(void *h, void *e, const void *d, int8_t *hh, int8_t *mm) {
    const H *x = d;
    *hh = x->tzh;
    *mm = x->tzm;
    return OK;
}

int OCIIntervalGetDaySecond(void *h, void *e, int32_t *d, int32_t *hh, int32_t *m, int32_t *s, int32_t *f,
        const void *i) {
    const H *x = i;
    *d = x->iv[0];
    *hh = x->iv[1];
    *m = x->iv[2];
    *s = x->iv[3];
    *f = x->iv[4];
    return OK;
}

int OCIIntervalSetDaySecond(void *h, void *e, int32_t d, int32_t hh, int32_t m, int32_t s, int32_t f, void *i) {
    H *x = i;
    x->iv[0] = d;
    x->iv[1] = hh;
    x->iv[2] = m;
    x->iv[3] = s;
    x->iv[4] = f;
    return OK;
}

int OCILobGetLength2(void *svc, void *e, void *l, uint64_t *n) {
    H *x = l;
    uint64_t k = 0;
    for (uint64_t i = 0; i < x->lobn; i++)
        k += (x->lob[i] & 0xc0) != 0x80;
    *n = k;
    return OK;
}

int OCILobRead2(void *svc, void *e, void *l, uint64_t *bytes, uint64_t *chars, uint64_t off, void *buf, uint64_t bl,
        uint8_t pc, void *c, void *cb, uint16_t cs, uint8_t form) {
    H *x = l;
    uint64_t i = 0, skip = off ? off - 1 : 0, want = *chars ? *chars : *bytes, nc = 0, nb = 0;
    while (skip && i < x->lobn) {
        i++;
        while (i < x->lobn && (x->lob[i] & 0xc0) == 0x80)
            i++;
        skip--;
    } while (nc < want && i < x->lobn) {
        uint64_t j = i + 1;
        while (j < x->lobn && (x->lob[j] & 0xc0) == 0x80)
            j++;
        if (nb + (j - i) > bl)
            break;
        memcpy((uint8_t *)buf + nb, x->lob + i, j - i);
        nb += j - i;
        nc++;
        i = j;
    }
    *bytes = nb;
    *chars = nc;
    return OK;
}

int OCILobIsTemporary(void *env, void *e, void *l, int *t) {
    *t = 0;
    return OK;
}

int OCILobFreeTemporary(void *svc, void *e, void *l) {
    return OK;
}

int OCILobGetChunkSize(void *svc, void *e, void *l, uint32_t *n) {
    *n = 8132;
    return OK;
}

int OCILobIsOpen(void *svc, void *e, void *l, int *f) {
    *f = 0;
    return OK;
}

int OCILobOpen(void *svc, void *e, void *l, uint8_t m) {
    return OK;
}

int OCILobClose(void *svc, void *e, void *l) {
    return OK;
}
