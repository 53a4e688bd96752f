/* A stand-in for Oracle's libclntsh.so: it exports the OCI calls that ODPI-C
 * resolves with dlsym(), and forwards statements over a Unix socket to a
 * simulated instance. It knows of SQL only a statement's first word and the
 * names of its binds. Attribute numbers are those of ODPI-C's dpiOci.c.
 *
 * One translation unit in parts, each with one subject. */
#include "types.h"
#include "wire.c"
#include "number.c"
#include "handle.c"
#include "nls.c"
#include "attribute.c"
#include "connect.c"
#include "pool.c"
#include "statement.c"
#include "bind.c"
#include "execute.c"
#include "value.c"
