/* explore: many designs, run on the same streams, and what each parameter is worth.
 *
 *     parameters -> designs -> measured values -> effects, tables
 */
#ifndef TROD_EXPLORE_H
#define TROD_EXPLORE_H

#include "base/base.h"

#endif
