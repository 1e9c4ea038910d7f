/* core: what runs cost a processor, as a model of one tells.
 *
 *     runs (branch.h) -> caches, predictor -> events -> timing of one or many designs
 */
#ifndef TROD_CORE_H
#define TROD_CORE_H

#include "branch/branch.h"

#endif
