/* All stages of the library, in the order data flows through them.
 *
 * Internal: programs outside this tree include <trod/trod.h>. Each header can be read alone; base.h states the rules on
 * memory, errors and output that all of them follow.
 */
#ifndef TROD_STAGES_H
#define TROD_STAGES_H

#include "base/base.h"
#include "graph/graph.h"
#include "number/number.h"
#include "probe/probe.h"
#include "grammar/grammar.h"
#include "profile/profile.h"
#include "profile/overlap.h"
#include "map/map.h"
#include "report/report.h"
#include "flow/flow.h"
#include "burst/burst.h"
#include "stream/stream.h"
#include "online/online.h"
#include "pathset/pathset.h"
#include "suite/suite.h"
#include "wpp/wpp.h"
#include "segment/segment.h"
#include "super/super.h"
#include "branch/branch.h"
#include "model/model.h"
#include "model/exact_paths.h"
#include "timing/timing.h"
#include "edit/edit.h"
#include "lift/lift.h"
#include "explore/explore.h"
#include "construct/construct.h"
#include "change/change.h"
#include "impact/impact.h"
#include "entry/entry.h"
#include "match/match.h"
#include "sequence/sequence.h"
#include "migrate/migrate.h"
#include "score/score.h"
#include "export/export.h"
#include "page/page.h"

#endif
