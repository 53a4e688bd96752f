/* ---- NUMBER ---- */
static void num_from_text(const char *s, uint8_t *o) {
    /* o[22] as SQLT_VNU: length byte first */
    int neg = 0, e10 = 0, nd = 0, point = -1;
    char d[64];
    memset(o, 0, 22);
    if (*s == '-') {
        neg = 1;
        s++;
    } else if (*s == '+')
        s++;
    for (; *s && *s != 'e' && *s != 'E'; s++) {
        if (*s == '.') {
            point = nd;
            continue;
        }
        if (!isdigit((unsigned char)*s))
            break;
        if (nd < 60)
            d[nd++] = *s - '0';
        else
            e10++;
    }
    if (point < 0)
        point = nd;
    if (*s == 'e' || *s == 'E')
        e10 += atoi(s + 1);
    int st = 0;
    while (st < nd && d[st] == 0)
        st++;
    while (nd > st && d[nd - 1] == 0)
        nd--;
    if (st == nd) {
        o[0] = 1;
        o[1] = 0x80;
        return;
    }
    int exp10 = point + e10 - st;
    /* 0.d1d2.. * 10^exp10 */
    int odd = ((exp10 % 2) + 2) % 2;
    /* base-100 pairs must align */
    int exp100 = (exp10 + odd) / 2;
    char q[64];
    int nq = 0;
    if (odd)
        q[nq++] = 0;
    for (int i = st; i < nd; i++)
        q[nq++] = d[i];
    if (nq & 1)
        q[nq++] = 0;
    int m = nq / 2;
    if (m > 20)
        m = 20;
    o[1] = neg ? (uint8_t)~(0x80 + exp100 + 64) : (uint8_t)(0x80 + exp100 + 64);
    for (int i = 0; i < m; i++) {
        int v = q[2 * i] * 10 + q[2 * i + 1];
        o[2 + i] = neg ? 101 - v : v + 1;
    }
    int len = 1 + m;
    if (neg && m < 20)
        o[1 + len++] = 102;
    o[0] = (uint8_t)len;
}

static void num_to_text(const uint8_t *v, char *s) {
    int n = v[0];
    const uint8_t *p = v + 1;
    char d[64];
    int nd = 0;
    if (n == 0 || (n == 1 && p[0] == 0x80)) {
        strcpy(s, "0");
        return;
    }
    int neg = !(p[0] & 0x80), e;
    if (neg) {
        e = (uint8_t)~p[0];
        if (p[n - 1] == 102)
            n--;
    } else
        e = p[0];
    int pt = ((e & 0x7f) - 64) * 2;
    for (int i = 1; i < n; i++) {
        int x = neg ? 101 - p[i] : p[i] - 1;
        d[nd++] = '0' + x / 10;
        d[nd++] = '0' + x % 10;
    }
    char *o = s;
    if (neg)
        *o++ = '-';
    int st = 0;
    if (nd && d[0] == '0') {
        st = 1;
    } while (nd > st && nd > pt && d[nd - 1] == '0')
        nd--;
    if (pt - 0 <= 0) {
        *o++ = '0';
        *o++ = '.';
        for (int i = pt; i < 0; i++)
            *o++ = '0';
        for (int i = 0; i < nd; i++)
            *o++ = d[i];
    } else {
        int any = 0;
        for (int i = st; i < pt; i++) {
            *o++ = i < nd ? d[i] : '0';
            any = 1;
        }
        if (!any)
            *o++ = '0';
        if (nd > pt) {
            *o++ = '.';
            for (int i = pt; i < nd; i++)
                *o++ = d[i];
        }
    }
    *o = 0;
}
