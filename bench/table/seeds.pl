# doc/seeds.md: the page of all experiments, illustrations and errata of bench/seed.
use strict;
use warnings;

sub print_all {
    my ($page, $partial, @documents) = @_;
    print <<'TEXT';
# The published documents, table by table

trod realises five published documents. This page has every table and figure of theirs: experiments with our figure beside theirs, and illustrations with what of ours carries them out. `bench/seeds` prints it from the records in `bench/seed` and from [results.md](results.md); `make seeds`
repeats all measurements in hours, `make seeds QUICK=1` a part of each, on few programs, and writes a page like this one to `build/seeds/seeds.md`. `make generated` rewrites this page, and a test checks that it is up to date.

Programs, inputs and machines differ from theirs, always: theirs are of 2002 to 2013, on Alpha, Athlon and Xeon processors and simulators, ours are Debian's programs of today. So a ratio says how the results compare, not the programs. Averages of theirs are arithmetic, ours geometric where the table says so. *Ratio* is ours over theirs.

- **better**, **worse**: ours is lower or higher than theirs, whichever is good; **equal**: by less than half of their last digit.
- **property**: the figure describes the programs and inputs, or something that theirs did not measure in the same way; there is no verdict.
- **ours alone**: the text has no number; figures were read from the text of the documents, not from their pictures.
- **not run**: the remark says why.

TEXT
    print "**This page is of another run, whose figures are in $partial. Those that it does not have are left out.**\n\n" if defined $partial;
    print_summary(@documents);
    print_document($page, $partial, $_) for grep { @{$_->{experiment}} || !defined $partial } @documents;
    print_errata(@documents) if !defined $partial;
}

sub line { print '| ', join(' | ', map { s/\|/\\|/gr } @_), " |\n" }

sub print_summary {
    my @documents = @_;
    my @verdicts = ('better', 'equal', 'worse', 'property', 'ours alone', 'not run');
    line('document', 'experiments', 'figures', @verdicts, 'illustrations', 'errata');
    line('---', ('---:') x (@verdicts + 4));
    my @sum;
    for my $d (@documents) {
        my @rows = map { @{$_->{rows}} } @{$d->{experiment}};
        my @cells = (scalar @{$d->{experiment}}, scalar @rows, (map { my $v = $_; scalar grep { $_->{is} eq $v } @rows } @verdicts), scalar @{$d->{illustration}}, scalar @{$d->{erratum}});
        $sum[$_] += $cells[$_] for 0 .. $#cells;
        line("[$d->{by}](#" . anchor_of($d->{by}) . ')', @cells);
    }
    line('all', @sum);
    print "\n";
    for my $verdict ('worse', 'not run') {
        my @where = map { my $d = $_; my @x = grep { grep { $_->{is} eq $verdict } @{$_->{rows}} } @{$d->{experiment}}; @x ? "$d->{by}: " . join(', ', map { $_->{key} } @x) : () } @documents;
        print ucfirst $verdict, ' in one figure or more: ', join('; ', @where), ".\n\n" if @where;
    }
}

sub print_document {
    my ($page, $partial, $document) = @_;
    print "## $document->{by}\n\n*$document->{title}*, $document->{kind}.\n\n";
    line('where', 'what', 'figure', 'theirs', 'ours', 'ratio', 'is', 'in results.md, by', 'remark');
    line(('---') x 3, ('---:') x 3, ('---') x 3);
    print_experiment($page, $_) for @{$document->{experiment}};
    print "\n";
    return if defined $partial;
    print "Illustrations, and what carries them out:\n\n";
    for my $x (@{$document->{illustration}}) {
        my $by = defined $x->{by} ? join(', ', map { "`$_`" } split /, /, $x->{by}) : "nothing: $x->{nothing}";
        print "- $x->{key}, $x->{name}: $by\n";
    }
    print "\n";
}

# The first line of an experiment has its name, command and remarks, the others its further figures.
sub print_experiment {
    my ($page, $x) = @_;
    my @by = ($x->{tables} ? "`make bench TABLES=\"$x->{tables}\"`" : (), $x->{command} ? "`$x->{command}`" : ());
    my $remark = join ' ', grep { defined } $x->{remark}, $x->{why}, map { "Theirs: `$_->{text}`." } @{$x->{sum}};
    my ($first, @more) = @{$x->{rows}};
    line($x->{key}, $x->{name}, figures($first), join(', ', link_to($page, $first->{section}), @by), $remark);
    my $last = $first->{section} // '';
    for my $row (@more) {
        my $section = $row->{section} // '';
        line('', '', figures($row), $section eq $last ? '' : (link_to($page, $section))[0] // '', '');
        $last = $section;
    }
}

sub figures { return @{$_[0]}{qw(what theirs ours ratio is)} }

# A link, if there is a section.
sub link_to {
    my ($page, $section) = @_;
    my $there = defined $section && section_of($page, $section) or return ();
    return "[$there->{title}](results.md#$there->{anchor})";
}

sub print_errata {
    my @documents = @_;
    print "## Errata of the documents\n\nEach with its proof: a test that shows it with trod, or a sum, which `bench/seeds` computes again.\n\n";
    for my $d (grep { @{$_->{erratum}} } @documents) {
        print "### $d->{by}, *$d->{title}*\n\n";
        line('where', 'what it says', 'what is right', 'proof');
        line(('---') x 4);
        for my $x (@{$d->{erratum}}) {
            line($x->{key}, $x->{says}, $x->{is}, join '; ', (map { "`$_`" } split /, /, $x->{proof} // ''), $x->{because} // (), map { "`$_->{text}`" } @{$x->{sum}});
        }
        print "\n";
    }
}

1;
