#include "export/export.h"

const struct trod_export_format trod_export_formats[] = {
    {0},
};
