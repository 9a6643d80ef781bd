namespace Dns.Features;

/// <summary>The current replication policy of zones, their own or the server's, as text.</summary>
internal sealed class ReplicationStatus(
    TransferHandler transfers, UpdateHandler updates, ZoneNotifier notifier, CatalogZones catalogs) : IReplicationStatus
{
    public ZoneStatus AddTo(ZoneStatus status, ZoneSlot slot) => status with
    {
        AllowTransfer = [.. transfers.AllowedOf(slot).Rules.Select(rule => rule.ToString())],
        AllowUpdate = updates.MayChange(slot) ? [.. updates.AllowedOf(slot).Rules.Select(TextOf)] : [],
        Catalog = catalogs.RoleOf(slot) switch { CatalogRole.Producer => "producer", CatalogRole.Consumer => "consumer",
            _ => null },
        MemberOf = catalogs.CatalogOf(slot)?.ToString(),
        Notify = [.. notifier.TargetsOf(slot).Select(target => target.ToString())],
    };

    private static string TextOf(UpdateRule rule)
    {
        string text = rule.From.ToString();
        if (rule.Names is { } names) text += " for " + string.Join(' ', names);
        return rule.Types is { } types ? $"{text} with {string.Join(' ', types.Select(RRTypeText.Format))}" : text;
    }
}
