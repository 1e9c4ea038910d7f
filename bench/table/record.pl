# Reading bench/seed/*.seed: what a published document measured and shows, and where ours is.
#
# A file is a list of records, with empty lines between them. Each line is a field: a name and a value, which continues on
# indented lines. Lines with # are comments. The first field says what the record is:
#
#     document NAME          by, title, kind; numbers: all its figures and tables, as in "figure 1-5; table 3.1-3.5"
#     section NAME = TEXT    a name for a section of doc/results.md: "CHAPTER" or "CHAPTER / SECTION"
#     experiment NUMBER      one or more numbers, with commas
#         name       what it is about
#         tables     those of `make bench` that repeat it; or command: another command that does
#         figure     WHAT | THEIRS | lower, higher or property | [HOW] SECTION | ROW | COLUMN
#                    WHAT | THEIRS | ...                       | not run
#         sum        EXPRESSION = RESULT: a figure of theirs that the text does not have, but follows from those it has
#         remark     what is not alike
#         why        why ours is worse, or was not run: one of them if one is
#     illustration NUMBER    name; by: files that carry it out, or nothing: why none does
#     erratum PLACE          says, is; proof: files; because: an argument; sum: EXPRESSION = RESULT, printed RESULT
#
# THEIRS is a number with its unit, or "none": the text has no number. HOW: over, a ratio as what it adds in percent;
# share, a number that is percent; bytes, KiB as bytes. ROW and COLUMN: see read.pl.
use strict;
use warnings;

my %known = (
    document => [qw(by title kind numbers)],
    section => [],
    experiment => [qw(name tables command figure sum remark why)],
    illustration => [qw(name by nothing)],
    erratum => [qw(says is proof because sum)],
);
my %many = map { ($_ => 1) } qw(figure sum);

# The records of a file: each with its type, key, place and fields.
sub read_records {
    my ($file) = @_;
    open my $in, '<', $file or wrong($file, "cannot be read: $!");
    my (@records, $record, $field);
    while (my $line = <$in>) {
        chomp $line;
        next if $line =~ /^#/;
        if ($line =~ /^\s*$/) {
            undef $record;
        } elsif ($line =~ /^\s+(.*)/) {
            $field or wrong("$file:$.", 'a line that continues nothing; begin it with the name of a field');
            $$field .= " $1";
        } else {
            ($record, $field) = add_field(\@records, $record, "$file:$.", $line);
        }
    }
    return @records;
}

# Begin a record, or add a field to it; the record, and where the value is, which may continue.
sub add_field {
    my ($records, $record, $at, $line) = @_;
    my ($name, $value) = $line =~ /^(\S+)\s+(.*)/ or wrong($at, "'$line' has no value");
    if (!$record || $known{$name}) {
        $known{$name} or wrong($at, "there is no record '$name'; use one of " . join ', ', sort keys %known);
        push @$records, $record = {type => $name, key => $value, at => $at, figure => [], sum => []};
        return ($record, \$record->{key});
    }
    grep { $_ eq $name } @{$known{$record->{type}}} or wrong($at, "a record '$record->{type}' has no '$name'; it has: @{$known{$record->{type}}}");
    if ($many{$name}) {
        push @{$record->{$name}}, {text => $value, at => $at};
        return ($record, \$record->{$name}[-1]{text});
    }
    !defined $record->{$name} or wrong($at, "'$name' again; remove one");
    $record->{$name} = $value;
    return ($record, \$record->{$name});
}

# "figure 1-3, 5; table 3.1-3.2" as the list of all: "figure 1", ..., "table 3.2".
sub numbers_of {
    my ($text) = @_;
    return map {
        my ($kind, $list) = /^\s*(\w+) (.*)/;
        map {
            my ($front, $from, $to) = /^\s*((?:\d+\.)?)(\d+)(?:-(?:\d+\.)?(\d+))?\s*$/ or wrong($text, "'$_' is no range of numbers");
            map { "$kind $front$_" } $from .. $to // $from
        } split /,/, $list
    } split /;/, $text;
}

# What a file has: its document, with lists of experiments, illustrations and errata; checked.
sub read_seed {
    my ($file) = @_;
    my ($document, @more) = read_records($file);
    $document && $document->{type} eq 'document' or wrong($file, "does not begin with a document");
    for my $record ($document, @more) {
        for my $field ($record->{type} eq 'document' ? @{$known{document}} : $record->{type} =~ /^[ei]x?[pl]/ ? 'name' : ()) {
            defined $record->{$field} or wrong($record->{at}, "'$record->{key}' has no '$field'; add it");
        }
    }
    $document->{section} = {map { split / = /, $_->{key}, 2 } grep { $_->{type} eq 'section' } @more};
    for my $type (qw(experiment illustration erratum)) {
        $document->{$type} = [grep { $_->{type} eq $type } @more];
    }
    check_numbers($document);
    return $document;
}

# Each figure and table of the document has one record.
sub check_numbers {
    my ($document) = @_;
    my %left = map { ($_ => 1) } numbers_of($document->{numbers});
    my %seen;
    for my $record (@{$document->{experiment}}, @{$document->{illustration}}) {
        for my $number (split /, /, $record->{key}) {
            !$seen{$number}++ or wrong($record->{at}, "$number has two records; remove one");
            delete $left{$number} or $number =~ /^section / or wrong($record->{at}, "the document has no $number; see its 'numbers'");
        }
    }
    my ($missing) = sort keys %left;
    !defined $missing or wrong($document->{at}, "$missing has no record; write an experiment or an illustration");
}

1;
