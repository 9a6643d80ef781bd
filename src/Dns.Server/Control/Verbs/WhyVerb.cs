using System.Net;
using System.Runtime.CompilerServices;
using System.Text;
using Dns.Answering;
using Dns.Forwarding;
using Dns.Protocol;
using Dns.Providers;
using Dns.Zones;

namespace Dns.Server;

/// <summary>
/// <c>dnsd why NAME TYPE</c>: has the responder make the answer, and follows it through the zones that it comes from.
/// </summary>
internal sealed class WhyVerb(
    LiveResponder responder, PublishedZones zones, MasterFileProvider provider, Forwarder? forwarder = null)
{
    /// <summary>The longest argument in characters: a name whose every octet is escaped.</summary>
    public const int MaxArgument = 1020;

    private const int MaxAliases = 16;
    private const int ClientPort = 53_000;

    /// <summary>Answers the verb: name, type, and the client's address.</summary>
    public ControlReply Explain(ControlCall call)
    {
        Explanation explanation = Explain(call.Argument(0), call.Argument(1), call.Argument(2));
        return call.Reply(explanation, ControlJson.Default.Explanation, explanation.Write);
    }

    /// <summary>Explains the answer to a question.</summary>
    /// <param name="nameText">The name.</param>
    /// <param name="typeText">The type; null = A.</param>
    /// <param name="clientText">The address that asks; null = 127.0.0.1.</param>
    /// <exception cref="ControlException">One of them is none.</exception>
    public Explanation Explain(string? nameText, string? typeText, string? clientText)
    {
        if (nameText?.Length > MaxArgument || typeText?.Length > MaxArgument || clientText?.Length > MaxArgument)
            throw new ControlException($"an argument is longer than {MaxArgument} characters");
        if (nameText is null || !ZonesSetting.TryParseName(nameText, out DomainName? name))
            throw new ControlException($"\"{nameText}\" is not a domain name");
        typeText ??= "A";
        if (!RRTypeText.TryParse(Encoding.UTF8.GetBytes(typeText), out RRType type))
            throw new ControlException($"\"{typeText}\" is not a type");
        if (!IPAddress.TryParse(clientText ?? "127.0.0.1", out IPAddress? address))
            throw new ControlException($"\"{clientText}\" is not an address");
        ClientAddress client = ClientAddress.From(new IPEndPoint(address, ClientPort));
        List<ExplanationStep> steps = DescribeNoData(name, type) is { } step ? [step] : Follow(name, type, ref client);
        (string outcome, string[] message) = Ask(new QueryRequest(name, type, RRClass.IN, "", 0), ref client);
        return new Explanation($"{name} {RRTypeText.Format(type)}", address.ToString(), steps, outcome, message);
    }

    /// <summary>What would be sent over UDP.</summary>
    private (string Outcome, string[] Message) Ask(QueryRequest request, ref ClientAddress client)
    {
        // Counted for itself: what is asked here is no client's.
        Responder apart = responder.Current.Apart();
        byte[] room = new byte[Math.Max(apart.Options.MaxUdpPayload, ResponderOptions.MinUdpPayload)];
        byte[] query = request.ToMessage(id: 0);
        query.CopyTo(room, 0);
        QueryOrigin origin = new(in client, DnsTransport.Udp, now: 0);
        int length;
        if (forwarder is null)
        {
            length = apart.Respond(room, query.Length, ref origin);
        }
        else
        {
            ExplainingSource source = new(forwarder);
            length = apart.Respond(room, query.Length, ref origin, null, ref source);
            if (source.WouldAsk) return ("the upstreams would be asked, and the answer sent when it is there", []);
        }
        if (length <= 0) return ("nothing would be sent", []);
        StringWriter text = new();
        new MessagePrinter(text).Print(room[..length]);
        return ("what would be sent over UDP:", text.ToString().TrimEnd().ReplaceLineEndings("\n").Split('\n'));
    }

    /// <summary>Types that no data has; null for all others.</summary>
    private ExplanationStep? DescribeNoData(DomainName name, RRType type)
    {
        bool isZone = zones.Current.FindExact(name) is not null;
        string? rule = type switch
        {
            RRType.AXFR or RRType.IXFR when isZone => "zones are given to nobody: REFUSED",
            RRType.AXFR or RRType.IXFR => "no zone here has that name: NOTAUTH",
            RRType.OPT or RRType.TSIG or RRType.TKEY or RRType.NXNAME => "a type that cannot be asked for: FORMERR",
            RRType.MAILA or RRType.MAILB => "a type of old that is not implemented: NOTIMP",
            _ => null,
        };
        return rule is null ? null : new ExplanationStep(name.ToString(), isZone ? $"zone {name}" : "no zone", rule, []);
    }

    private List<ExplanationStep> Follow(DomainName first, RRType type, ref ClientAddress client)
    {
        List<ExplanationStep> steps = [];
        ZoneSet set = zones.Current;
        Unsafe.SkipInit(out LookupName name);
        DomainName? next = first;
        while (next is not null && steps.Count <= MaxAliases)
        {
            name.Set(next.Octets);
            int served = ServedZones.Find(set, in name, type, out ZoneSlot? slot);
            int skipped = type == RRType.DS && name.LabelCount > 0 ? 1 : 0;
            bool isElsewhere = forwarder is not null && forwarder.ZoneLabels(in name, skipped) > served;
            if (isElsewhere || slot?.Zone is null)
            {
                steps.Add(isElsewhere
                    ? DescribeForwarded(next, in name, type, skipped, ref client) : DescribeMissing(next, slot, steps.Count == 0));
                break;
            }
            steps.Add(slot.Admits(ref client)
                ? DescribeServed(next, in name, type, slot, name.LabelCount - served, steps.Count == 0, ref client, out next)
                : DescribeDenied(next, slot, steps.Count == 0, out next));
        }
        return steps;
    }

    private static ExplanationStep DescribeMissing(DomainName name, ZoneSlot? slot, bool isFirst) => slot is null
        ? new(name.ToString(), "no zone", "no zone here holds the name: " + (isFirst ? "REFUSED" : "the answer ends"), [])
        : new(name.ToString(), $"zone {slot.Name}, which has no data",
            slot.State == ZoneState.Loading ? "it is still being loaded: SERVFAIL" : "it could not be loaded: SERVFAIL",
            slot.Failure is null ? [] : [slot.Failure]);

    private static ExplanationStep DescribeDenied(DomainName name, ZoneSlot slot, bool isFirst, out DomainName? next)
    {
        next = null;
        string end = isFirst ? "REFUSED" : "the answer ends";
        return new ExplanationStep(name.ToString(), $"zone {slot.Name}", $"the client is not in its AllowQuery: {end}", []);
    }

    private ExplanationStep DescribeServed(
        DomainName name, scoped ref readonly LookupName lookup, RRType type, ZoneSlot slot, int apexSkip, bool isFirst,
        ref ClientAddress client, out DomainName? next)
    {
        Zone zone = slot.Zone!;
        string file = provider.Find(slot.Name) is { } status ? $", from {status.File.Path}" : ", built in";
        LookupResult found = zone.Lookup(in lookup, apexSkip, type);
        ZoneNode node = found.Node;
        string owner = NameText.ToText(node.Name);
        List<string> details = [];
        next = null;
        string rule = found.Outcome switch
        {
            LookupOutcome.Found => "the name exists",
            LookupOutcome.Wildcard => $"the name does not exist, and the wildcard {owner} answers for it",
            LookupOutcome.Delegation when forwarder is not null && forwarder.MayRecurse(ref client) && forwarder.ZoneLabels(in lookup) >= 0
                => $"delegated at {owner}: others are asked for this client",
            LookupOutcome.Delegation when !isFirst => $"delegated at {owner}: the answer ends",
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
            else if (type == RRType.ANY && responder.Current.Options.MinimalAny) details.Add("one RRset of them over UDP: Dns:MinimalAny");
            else if (type != RRType.ANY && !node.TryFind(type, out _)) details.Add("not of this type: NODATA");
        }
        else if (found.Outcome == LookupOutcome.Redirection && node.TryFind(RRType.DNAME, out RRset dname))
        {
            next = Substitute(name, lookup.Start(found.SkippedLabels), dname.First);
            if (next is null) details.Add("the name that it makes is too long: YXDOMAIN");
        }
        if (next is not null) details.Add($"an alias of {next}");
        // Who asks for an alias has it with that, also where a DNAME makes it.
        if (type is RRType.CNAME or RRType.ANY) next = null;
        if (slot.Failure is not null) details.Add("its file has errors since: " + slot.Failure);
        return new ExplanationStep(name.ToString(), $"zone {slot.Name} serial {zone.Serial}{file}", rule, details);
    }

    private ExplanationStep DescribeForwarded(
        DomainName name, scoped ref readonly LookupName lookup, RRType type, int skipped, ref ClientAddress client)
    {
        int labels = forwarder!.ZoneLabels(in lookup, skipped);
        DomainName zone = DomainName.FromOctets(lookup.Suffix(lookup.LabelCount - labels));
        List<string> details = [];
        UpstreamStatus[] upstreams = [.. forwarder.Upstreams.Where(upstream => upstream.Zones.Contains(zone))];
        foreach (UpstreamStatus upstream in upstreams) details.Add(Describe(upstream));
        bool isCached = false;
        foreach (CachedEntry entry in forwarder.Cache.Lookup(name))
        {
            if (entry.Type != 0 && entry.Type != type) continue;
            CacheLine line = CacheLine.Of(entry);
            isCached |= entry.TimeLeft > TimeSpan.Zero;
            details.Add($"in the cache: {line.Type}, {line.Code}, {line.Times}");
        }
        string rule = !forwarder.MayRecurse(ref client) ? "others are not asked: the client is not in Dns:Recursion:AllowFrom"
            : isCached ? "the cache has the answer"
            : Array.Exists(upstreams, upstream => upstream.State == UpstreamState.Up) ? "others are asked"
            : "all upstreams are down: an old answer if there is one, or SERVFAIL";
        return new ExplanationStep(name.ToString(), $"forwarded zone {zone}", rule, details);
    }

    /// <summary>An upstream and how it does.</summary>
    internal static string Describe(UpstreamStatus upstream) => $"upstream {upstream.Address}: " + upstream.State switch
    {
        UpstreamState.Up when upstream.Sent == 0 => "up, not asked yet",
        UpstreamState.Up when upstream.Answered == 0 => "up, no answer yet",
        UpstreamState.Up => $"up, {upstream.RoundTripMs:0.0} ms",
        UpstreamState.HeldDown => $"down, for {TextTable.Duration(upstream.DownFor)}",
        _ => "this server, not asked",
    };

    private static string Types(ZoneNode node)
    {
        List<string> types = [];
        foreach (RRset rrset in node) types.Add(RRTypeText.Format(rrset.Type));
        return string.Join(' ', types.Distinct());
    }

    private static DomainName? Substitute(DomainName name, int prefix, ReadOnlySpan<byte> target) =>
        prefix + target.Length > WireName.MaxOctets ? null : DomainName.FromOctets([.. name.Octets[..prefix], .. target]);
}
