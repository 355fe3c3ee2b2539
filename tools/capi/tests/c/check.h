/* Checks of the C tests: each failure names its line, and ends the program. */
#ifndef HITMASK_CHECK_H
#define HITMASK_CHECK_H

#include "hitmask.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int checks = 0;

/* The message of an error has a remedy after a semicolon, and names no item of the Rust library. */
static int is_clear(int status) {
  return status <= HM_NONE ||
         (strstr(hm_last_error(), "; ") != NULL && strstr(hm_last_error(), "::") == NULL);
}

/* A call has this status. */
#define EXPECT(expected, call)                                                                    \
  do {                                                                                            \
    int status = (call);                                                                          \
    checks++;                                                                                     \
    if (status != (expected) || !is_clear(status)) {                                              \
      fprintf(stderr, "line %d: %s is \"%s\", not \"%s\" (%s)\n", __LINE__, #call,                 \
              hm_status_text(status), hm_status_text(expected), hm_last_error());                 \
      exit(1);                                                                                    \
    }                                                                                             \
  } while (0)
#define TRUE(condition)                                                                           \
  do {                                                                                            \
    checks++;                                                                                     \
    if (!(condition)) {                                                                           \
      fprintf(stderr, "line %d: %s is false\n", __LINE__, #condition);                            \
      exit(1);                                                                                    \
    }                                                                                             \
  } while (0)

#endif
