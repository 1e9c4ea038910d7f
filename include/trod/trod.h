/* trod: which paths a program takes.
 *
 * The library, stage by stage, in the order data flows through them. Each header can
 * be read alone; base.h has the rules on memory, errors and output that all follow.
 */
#ifndef TROD_TROD_H
#define TROD_TROD_H

#include "base/base.h"
#include "graph/graph.h"
#include "number/number.h"
#include "probe/probe.h"
#include "grammar/grammar.h"
#include "profile/profile.h"
#include "report/report.h"
#include "flow/flow.h"
#include "burst/burst.h"
#include "stream/stream.h"
#include "online/online.h"
#include "chosen/chosen.h"
#include "suite/suite.h"
#include "wpp/wpp.h"
#include "segment/segment.h"
#include "super/super.h"
#include "branch/branch.h"
#include "model/model.h"
#include "core/core.h"
#include "edit/edit.h"
#include "lift/lift.h"
#include "explore/explore.h"
#include "construct/construct.h"
#include "change/change.h"
#include "impact/impact.h"
#include "migrate/migrate.h"
#include "score/score.h"
#include "export/export.h"
#include "page/page.h"

#endif
