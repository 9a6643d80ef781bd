namespace Dns.Management.Explanations;

/// <summary>The steps of one resolution, as text.</summary>
/// <param name="forwarding">What answers from other servers; null = nothing.</param>
public sealed class ExplanationTrace(
    DomainName name, RRType type, ClientAddress client, ResponderOptions options, IExplainedForwarding? forwarding)
{
    private readonly List<ExplanationStep> _steps = [];

    // The next name, in the alias's letter case.
    private DomainName? _next = name;

    /// <summary>The cut at which the last name was delegated; null if none.</summary>
    private string? _cut;

    public IReadOnlyList<ExplanationStep> Steps => _steps;

    /// <summary>Whether a list of clients decided a step: another client may have another answer.</summary>
    public bool DependsOnClient { get; private set; }

    public void OnMetaType(scoped ref readonly LookupName lookup, ZoneSlot? apexOf)
    {
        string rule = type switch
        {
            RRType.AXFR or RRType.IXFR when apexOf is not null =>
                "a transfer is for those in AllowTransfer, over TCP; REFUSED for all others",
            RRType.AXFR or RRType.IXFR => "no zone here has that name: NOTAUTH",
            RRType.MAILA or RRType.MAILB => "a type of old that is not implemented: NOTIMP",
            _ => "a type that cannot be queried: FORMERR",
        };
        Add(new ExplanationStep(NameOf(in lookup).ToString(),
            apexOf is null ? "no zone" : $"zone {apexOf.Name}", rule, []));
    }

    /// <summary>A policy decides about the name.</summary>
    public void OnPolicy(scoped ref readonly LookupName lookup, PolicyVerdict verdict) => Add(new ExplanationStep(
        NameOf(in lookup).ToString(), "policy", verdict switch
        {
            PolicyVerdict.Drop => "no reply is sent",
            PolicyVerdict.Truncate => "TC over UDP: the client asks again over TCP",
            _ => "the policy answers",
        }, []));

    /// <summary>The name is forwarded: a zone here delegates it, or none contains it.</summary>
    public void OnElsewhere(scoped ref readonly LookupName lookup)
    {
        DependsOnClient |= forwarding!.DependsOnClient;
        if (_cut is not null)
            _steps[^1] = _steps[^1] with { Rule = $"delegated at {_cut}: upstreams are queried for this client" };
        else
            Add(forwarding.Describe(NameOf(in lookup), in lookup, type, client));
    }

    /// <summary>No zone contains the name, or its zone has no data.</summary>
    public void OnNoZone(scoped ref readonly LookupName lookup, ZoneSlot? slot) =>
        Add(DescribeMissing(NameOf(in lookup), slot, _steps.Count == 0));

    public void OnDenied(scoped ref readonly LookupName lookup, ZoneSlot slot)
    {
        DependsOnClient = true;
        string end = _steps.Count == 0 ? "REFUSED" : "the answer ends";
        string rule = $"the client is not in its AllowQuery: {end}";
        Add(new ExplanationStep(NameOf(in lookup).ToString(), $"zone {slot.Name}", rule, []));
    }

    public void OnLookup(scoped ref readonly LookupName lookup, ZoneSlot slot, Zone zone, scoped LookupResult found)
    {
        DependsOnClient |= slot.AllowQuery?.HasAll == false;
        ExplanationStep step = DescribeServed(NameOf(in lookup), in lookup, slot, zone, found, out DomainName? next);
        Add(step);
        _next = next;
        _cut = found.Outcome == LookupOutcome.Delegation ? NameText.ToText(found.Node.Name) : null;
    }

    private void Add(ExplanationStep step)
    {
        _steps.Add(step);
        (_next, _cut) = (null, null);
    }

    private DomainName NameOf(scoped ref readonly LookupName lookup) =>
        _next is not null && WireName.EqualsIgnoreCase(_next.Octets, lookup.Octets)
            ? _next : DomainName.FromOctets(lookup.Octets);

    private static ExplanationStep DescribeMissing(DomainName name, ZoneSlot? slot, bool isFirst) => slot is null
        ? new(name.ToString(), "no zone",
            "no zone here holds the name: " + (isFirst ? "REFUSED" : "the answer ends"), [])
        : new(name.ToString(), $"zone {slot.Name}, which has no data",
            slot.State switch
            {
                ZoneState.Loading => "it is still being loaded: SERVFAIL",
                ZoneState.Expired => "its data is too old: SERVFAIL",
                _ => "it could not be loaded: SERVFAIL",
            },
            slot.Failure is null ? [] : [slot.Failure.Text]);

    private ExplanationStep DescribeServed(
        DomainName name, scoped ref readonly LookupName lookup, ZoneSlot slot, Zone zone, scoped LookupResult found,
        out DomainName? next)
    {
        string file = slot.Source?.OriginOf(slot) is { } origin
            ? origin.Path is { } path ? $", from {path}" : $", {origin.Source}" : "";
        ZoneNode node = found.Node;
        string owner = NameText.ToText(node.Name);
        List<string> details = [];
        next = null;
        string rule = found.Outcome switch
        {
            LookupOutcome.Found => "the name exists",
            LookupOutcome.Wildcard => $"the name does not exist, and the wildcard {owner} answers for it",
            LookupOutcome.Delegation when _steps.Count > 0 => $"delegated at {owner}: its servers end the answer",
            LookupOutcome.Delegation => $"delegated at {owner}: a referral, without authority",
            LookupOutcome.Redirection => $"below the DNAME of {owner}",
            _ => $"the name does not exist, nor a wildcard; its closest encloser is {owner}: NXDOMAIN",
        };
        if (found.Outcome is LookupOutcome.Found or LookupOutcome.Wildcard)
        {
            string types = Types(node);
            details.Add(types.Length == 0 ? "no data: an empty non-terminal" : "data: " + types);
            if (node.IsAlias && type is not (RRType.CNAME or RRType.ANY or RRType.RRSIG or RRType.NSEC)
                && node.TryFind(RRType.CNAME, out RRset cname)) next = DomainName.FromOctets(cname.First);
            else if (type == RRType.ANY && options.MinimalAny)
                details.Add("one RRset of them over UDP: Dns:MinimalAny");
            else if (type != RRType.ANY && !node.TryFind(type, out _)) details.Add("not of this type: NODATA");
        }
        else if (found.Outcome == LookupOutcome.Redirection && node.TryFind(RRType.DNAME, out RRset dname))
        {
            next = Substitute(name, lookup.Start(found.SkippedLabels), dname.First);
            if (next is null) details.Add("the name that it makes is too long: YXDOMAIN");
        }
        if (next is not null) details.Add($"an alias of {next}");
        // A query for an alias type is answered by the alias, even one synthesised from a DNAME.
        if (type is RRType.CNAME or RRType.ANY) next = null;
        if (slot.SourceFailure is { } fault) details.Add("its file has errors since: " + fault);
        else if (slot.Failure is { } failure) details.Add("its signing fails: " + failure);
        return new ExplanationStep(name.ToString(), $"zone {slot.Name} serial {zone.Serial}{file}", rule, details);
    }

    private static string Types(ZoneNode node)
    {
        List<string> types = [];
        foreach (RRset rrset in node) types.Add(RRTypeText.Format(rrset.Type));
        return string.Join(' ', types.Distinct());
    }

    private static DomainName? Substitute(DomainName name, int prefix, ReadOnlySpan<byte> target) =>
        prefix + target.Length > WireName.MaxOctets
            ? null : DomainName.FromOctets([.. name.Octets[..prefix], .. target]);
}
