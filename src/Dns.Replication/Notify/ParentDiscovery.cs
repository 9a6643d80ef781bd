namespace Dns.Replication.Notify;

/// <summary>
/// Finds the servers to notify of changed CDS and CDNSKEY records through the DSYNC records of the parent (RFC 9859
/// §4.1), by a resolver. Thread-safe.
/// </summary>
public sealed class ParentDiscovery(DsClient client)
{
    private const int MostServers = 8;
    private const byte NotifyScheme = 1;
    private const int FixedOctets = 5;

    private static readonly byte[] Label = [6, .. "_dsync"u8];

    /// <summary>
    /// Finds the servers of the parent. Never throws for a resolver's fault; sends at most 3 queries for DSYNC, and two
    /// for each target.
    /// </summary>
    /// <returns>The servers, possibly none; and the reason of a failure, as text, or null.</returns>
    public async Task<(IReadOnlyList<ParentServer> Servers, string? Failure)> FindAsync(
        PeerAddress resolver, DomainName zone, CancellationToken cancellation)
    {
        byte[][] labels = LabelsOf(zone);
        if (labels.Length == 0) return ([], null);
        // child._dsync.rest; then, with the parent by the SOA of that answer, all labels of the child before _dsync,
        // and none.
        List<DomainName> queried = [];
        DomainName? next = NameOf(labels, 1);
        DomainName? parent = null;
        while (next is not null && !queried.Contains(next))
        {
            queried.Add(next);
            DsyncAnswer answer = await QueryDsyncAsync(resolver, next, cancellation).ConfigureAwait(false);
            if (answer.Failure is not null) return ([], answer.Failure);
            if (answer.Records.Count > 0)
                return await ResolveAsync(resolver, answer.Records, cancellation).ConfigureAwait(false);
            parent ??= answer.Apex is { } apex ? ParentOf(zone, apex) : null;
            if (parent is null) return ([], null);
            int depth = labels.Length - LabelsOf(parent).Length;
            DomainName? whole = NameOf(labels, depth);
            next = whole is not null && !queried.Contains(whole) ? whole : NameOf(labels[depth..], 0);
        }
        return ([], null);
    }

    private async Task<DsyncAnswer> QueryDsyncAsync(
        PeerAddress resolver, DomainName name, CancellationToken cancellation)
    {
        (PrimaryQuery query, byte[]? reply) = await client.QueryAsync(resolver, name, RRType.DSYNC, cancellation)
            .ConfigureAwait(false);
        return reply is null
            ? new DsyncAnswer([], null, $"{resolver} does not answer") : DsyncAnswer.Read(query, reply);
    }

    private async Task<(IReadOnlyList<ParentServer> Servers, string? Failure)> ResolveAsync(
        PeerAddress resolver, IReadOnlyList<byte[]> records, CancellationToken cancellation)
    {
        List<ParentServer> servers = [];
        string? failure = null;
        foreach (byte[] record in records)
        {
            RRType type = (RRType)BinaryPrimitives.ReadUInt16BigEndian(record);
            ushort port = BinaryPrimitives.ReadUInt16BigEndian(record.AsSpan(3));
            DomainName target = DomainName.FromOctets(record.AsSpan(FixedOctets));
            if (record[2] != NotifyScheme || type is not (RRType.CDS or RRType.CDNSKEY) || port == 0 ||
                target.Octets.Length == 1) continue;
            bool isFound = false;
            // One of each address family, at least one of which the machine has.
            foreach (RRType family in (RRType[])[RRType.AAAA, RRType.A])
            {
                (PrimaryQuery query, byte[]? reply) =
                    await client.QueryAsync(resolver, target, family, cancellation).ConfigureAwait(false);
                if (reply is null || DsyncAnswer.AddressOf(query, reply) is not { } address ||
                    servers.Count >= MostServers) continue;
                servers.Add(new ParentServer(new IPEndPoint(address, port), type));
                isFound = true;
            }
            if (!isFound) failure = $"{resolver} knows no address of {target}";
        }
        return (servers, servers.Count > 0 ? null : failure);
    }

    // The parent's name, from the SOA record of a negative answer, which may be of the names below _dsync.
    private static DomainName? ParentOf(DomainName zone, DomainName apex)
    {
        ReadOnlySpan<byte> octets = apex.Octets;
        if (octets.Length > Label.Length && WireName.EqualsIgnoreCase(octets[..Label.Length], Label))
            octets = octets[Label.Length..];
        ReadOnlySpan<byte> rest = zone.Octets;
        while (rest.Length > 1)
        {
            rest = rest[(rest[0] + 1)..];
            if (WireName.EqualsIgnoreCase(rest, octets)) return DomainName.FromOctets(octets);
        }
        return null;
    }

    /// <summary>Inserts _dsync after some labels; null if the name would be too long.</summary>
    private static DomainName? NameOf(byte[][] labels, int before)
    {
        byte[] name = [.. labels[..before].SelectMany(label => label), .. Label,
            .. labels[before..].SelectMany(label => label), 0];
        return name.Length <= WireName.MaxOctets ? DomainName.FromOctets(name) : null;
    }

    private static byte[][] LabelsOf(DomainName name)
    {
        List<byte[]> labels = [];
        for (ReadOnlySpan<byte> rest = name.Octets; rest[0] > 0; rest = rest[(rest[0] + 1)..])
            labels.Add(rest[..(rest[0] + 1)].ToArray());
        return [.. labels];
    }
}

/// <summary>A server of the parent to notify.</summary>
/// <param name="Type">The type: CDS or CDNSKEY.</param>
public sealed record ParentServer(IPEndPoint EndPoint, RRType Type);
