using System.Diagnostics.CodeAnalysis;
using Dns.Testing;

namespace Dns.Replication.Tests;

/// <summary>What tests of catalogs share.</summary>
public abstract class CatalogTestBase : ICatalogObserver
{
    protected List<string> Told { get; } = [];

    protected static DomainName Name(string text) => DomainName.Parse(text);

    protected static Zone Catalog(string apex, string records, string version = "\"2\"") => ZoneText.Load(apex, $"""
        $TTL 0
        @ SOA invalid. invalid. 1 3600 600 86400 0
        @ NS invalid.
        version TXT {version}
        {records}
        """);

    protected static string Text(IEnumerable<CatalogMember> members) => string.Join(' ', members
        .Select(member => $"{member.Id}={member.Zone}{string.Concat(member.Groups.Select(group => "/" + group))}")
        .Order(StringComparer.Ordinal));

    public void OnMade(DomainName catalog, uint serial, int members) => Told.Add($"{catalog} made: {members}");

    public void OnEmptied(DomainName catalog, int members) => Told.Add($"{catalog} emptied: {members}");

    public void OnNotStored(DomainName catalog, string reason) => Told.Add($"{catalog} not kept: {reason}");

    public void OnBroken(DomainName catalog, string problem) => Told.Add($"{catalog} broken: {problem}");

    public void OnMembers(DomainName catalog, int added, int removed, int reset) =>
        Told.Add($"{catalog} +{added} -{removed} ~{reset}");

    public void OnConflict(DomainName catalog, DomainName zone, string reason) =>
        Told.Add($"{catalog} conflict {zone}: {reason}");

    public void OnFault(DomainName catalog, Exception error) => Told.Add($"{catalog} fault: {error}");

    /// <summary>Keeps the last version of each zone, as a disk would; or fails.</summary>
    protected sealed class Copies : IZoneCopies
    {
        private readonly Dictionary<DomainName, ZoneCopy> _kept = [];

        public bool IsFull { get; set; }

        public bool TryLoad(
            DomainName zone, ZoneLimits limits, [NotNullWhen(true)] out ZoneCopy? copy, out CopyDamage? damage,
            CancellationToken cancellation)
        {
            damage = null;
            return _kept.TryGetValue(zone, out copy);
        }

        public void Save(ZoneCopy copy, IReadOnlyList<ZoneDelta> deltas)
        {
            if (IsFull) throw new IOException("no room");
            _kept[DomainName.FromOctets(copy.Zone.Apex)] = copy;
        }

        public void SaveTimes(DomainName zone, in ZoneCopyTimes times)
        {
        }

        public void Delete(DomainName zone) => _kept.Remove(zone);
    }
}
