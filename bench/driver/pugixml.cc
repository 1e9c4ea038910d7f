// Reads a catalogue in XML by pugixml from standard input; asks it by XPath, changes it, writes it in two ways, and reads
// it once more with the fewest options. Prints answers and a hash of what was written.
#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>

#include "pugixml.hpp"

static const char *const questions[] = {
    "/catalogue/item[@class='book']",
    "//part[count > 3]/name",
    "//item[part and not(@sold)]",
    "//item[contains(title, 'graph')][position() mod 3 = 1]",
    "//name[starts-with(., 'p1')]/following-sibling::count",
    "//item[number(@price) > 100]/ancestor::catalogue | //comment()",
};

static const char *const values[] = {
    "sum(//count)",
    "count(//item[string-length(normalize-space(text)) > 20])",
    "concat(//item[last()]/@id, ' ', translate(//item[1]/title, 'aeiou', 'AEIOU'))",
};

// Writes into a hash.
struct hashed : pugi::xml_writer {
    unsigned long long hash = 1;
    size_t bytes = 0;

    void write(const void *data, size_t size) override
    {
        const unsigned char *s = static_cast<const unsigned char *>(data);

        bytes += size;
        for (size_t i = 0; i < size; i++)
            hash = (hash ^ s[i]) * 1099511628211ULL;
    }
};

static void change(pugi::xml_node root)
{
    for (pugi::xml_node item = root.first_child(); item;) {
        pugi::xml_node next = item.next_sibling();
        double price = item.attribute("price").as_double();

        if (item.attribute("sold")) {
            root.remove_child(item);
        } else if (price > 150) {
            item.attribute("price").set_value(price / 2);
            item.append_child("reduced").append_attribute("from") = price;
            root.prepend_move(item);
        } else if (price < 5) {
            root.insert_copy_after(item, item).append_attribute("copy") = true;
        }
        item = next;
    }
}

int main()
{
    std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    pugi::xml_document document, plain;
    hashed formatted, raw;

    if (!document.load_buffer(text.data(), text.size(), pugi::parse_full))
        return 3;
    for (const char *question : questions)
        printf("%zu %s\n", document.select_nodes(question).size(), question);
    for (const char *value : values)
        printf("%s\n", pugi::xpath_query(value).evaluate_string(document).c_str());
    change(document.document_element());
    document.save(formatted, "  ");
    document.save(raw, "", pugi::format_raw);
    printf("%zu %016llx %zu %016llx\n", formatted.bytes, formatted.hash, raw.bytes,
        raw.hash);
    if (!plain.load_buffer(text.data(), text.size(), pugi::parse_minimal))
        return 3;
    printf("%zu\n", plain.select_nodes("//node()").size());
    return 0;
}
