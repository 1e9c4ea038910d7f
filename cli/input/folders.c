#include "commands.h"
#include "input/input.h"
#include "base/order.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

bool cli_is_folder(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool cli_ends(const char *name, const char *suffix)
{
    size_t length = strlen(name), n = strlen(suffix);

    return length > n && strcmp(name + length - n, suffix) == 0;
}

/* Links to folders are not followed: they may form cycles. A dangling link is treated as a file, which fails to open. */
static void add_found(struct cli *cli, struct cli_list *file, struct cli_list *folder,
    const char *path, const char *suffix)
{
    struct stat itself, target;

    if (lstat(path, &itself) != 0)
        return;
    if (S_ISDIR(itself.st_mode))
        cli_list_add(cli, folder, path);
    else if (cli_ends(path, suffix) &&
             (stat(path, &target) != 0 || S_ISREG(target.st_mode)))
        cli_list_add(cli, file, path);
}

TROD_ORDER(compare_names, char *const, strcmp(*a, *b))

bool cli_folder_add(
    struct cli_list *out, struct cli *cli, const char *folder, const char *suffix)
{
    struct cli_list below = {0};

    cli_list_add(cli, &below, folder);
    for (uint32_t i = 0; i < below.count; i++) {
        const char *in = below.item[i];
        const char *slash = cli_ends(in, "/") ? "" : "/";
        DIR *dir = opendir(in);
        struct dirent *found;

        if (!dir)
            return trod_fail(&cli->err, TROD_E_SYSTEM,
                "%s: %s; name a folder that can be read", in, strerror(errno));
        while ((found = readdir(dir)))
            if (strcmp(found->d_name, ".") != 0 && strcmp(found->d_name, "..") != 0)
                add_found(cli, out, &below,
                    trod_format(&cli->mem, "%s%s%s", in, slash, found->d_name), suffix);
        closedir(dir);
    }
    trod_sort(out->item, out->count, compare_names);
    return true;
}

bool cli_profiles_list(
    struct cli_list *out, struct cli *cli, const struct cli_list *files)
{
    struct cli_list all = {0};

    for (uint32_t i = 0; i < files->count; i++) {
        struct cli_list inside = {0};

        if (!cli_is_folder(files->item[i])) {
            cli_list_add(cli, &all, files->item[i]);
            continue;
        }
        if (!cli_folder_add(&inside, cli, files->item[i], ".trod"))
            return false;
        if (!inside.count)
            return trod_fail(&cli->err, TROD_E_INPUT,
                "%s: this folder has no profiles (files NAME.trod); run the program first, or "
                "name the folder or files that it wrote",
                files->item[i]);
        for (uint32_t k = 0; k < inside.count; k++)
            cli_list_add(cli, &all, inside.item[k]);
    }
    *out = all;
    return true;
}
