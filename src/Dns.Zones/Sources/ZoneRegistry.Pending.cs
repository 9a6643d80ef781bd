namespace Dns.Zones.Sources;

/// <content>The preparation of a change.</content>
public sealed partial class ZoneRegistry
{
    /// <summary>A change by one source. It has no effect before <see cref="Commit"/>.</summary>
    private sealed class Pending(
        ZoneRegistry registry, IZoneSource source, ZoneSet current, Dictionary<DomainName, List<ZoneSlot>> waiting)
    {
        /// <summary>The claims on a name before and after; the first one is served.</summary>
        private readonly record struct Claims(ZoneSlot? Before, ZoneSlot? After, List<ZoneSlot>? Others);

        private readonly Dictionary<DomainName, Claims> _claims = [];
        private readonly List<ZoneSlot> _withdrawn = [], _claimed = [], _waiting = [];

        internal void Withdraw(ZoneSlot slot)
        {
            if (!ReferenceEquals(slot.Source, source)) return;
            Claims claims = ClaimsOn(slot.Name);
            if (ReferenceEquals(claims.After, slot))
            {
                claims = claims with { After = claims.Others is [ZoneSlot next, ..] ? next : null };
                if (claims.After is not null) claims.Others!.RemoveAt(0);
            }
            else if (claims.Others?.Remove(slot) != true) return;
            _claims[slot.Name] = claims;
            _withdrawn.Add(slot);
        }

        internal void Claim(ZoneSlot slot)
        {
            Claims claims = ClaimsOn(slot.Name);
            if (slot.Source is not null || IsOurs(claims.After) || claims.Others?.Exists(IsOurs) == true)
                throw new ArgumentException($"zone {slot.Name} is given twice");
            ZoneSlot? loser =
                claims.After is not { } served || slot.Precedence < served.Precedence ? claims.After : slot;
            if (!ReferenceEquals(loser, slot)) claims = claims with { After = slot };
            if (loser is not null)
            {
                claims = claims with { Others = claims.Others ?? [] };
                // The previously served one precedes its equals, a new one follows them.
                int at = claims.Others.FindIndex(other => ReferenceEquals(loser, slot)
                    ? loser.Precedence < other.Precedence : loser.Precedence <= other.Precedence);
                claims.Others.Insert(at < 0 ? claims.Others.Count : at, loser);
                _waiting.Add(loser);
            }
            _claims[slot.Name] = claims;
            _claimed.Add(slot);
        }

        /// <summary>The effect of the change on what is served.</summary>
        internal ZoneRegistryChange Describe()
        {
            List<ZoneSlot> added = [], removed = [];
            foreach (Claims claims in _claims.Values)
            {
                if (ReferenceEquals(claims.Before, claims.After)) continue;
                if (claims.Before is not null) removed.Add(claims.Before);
                if (claims.After is not null) added.Add(claims.After);
            }
            ZoneConflict[] conflicts =
            [
                .. from loser in _waiting
                   where IsReported(loser) && _claims[loser.Name].Others?.Contains(loser) == true
                   select new ZoneConflict(_claims[loser.Name].After!, loser),
            ];
            waiting.EnsureCapacity(waiting.Count + _waiting.Count);
            return new ZoneRegistryChange(added, removed, conflicts);
        }

        internal void Commit(ZoneRegistryChange change)
        {
            foreach (ZoneSlot slot in _withdrawn) (slot.Source, slot.Registry) = (null, null);
            foreach (ZoneSlot slot in _claimed)
            {
                (slot.Source, slot.Registry) = (source, registry);
                slot.AwaitSigner();
            }
            foreach ((DomainName name, Claims claims) in _claims)
            {
                if (claims.Others is { Count: > 0 } others) waiting[name] = others;
                else waiting.Remove(name);
            }
            // Those that waited, too: a name may have been signed meanwhile.
            foreach (ZoneSlot slot in change.Added) slot.AwaitSigner();
        }

        // A claim of this change has no source yet.
        private bool IsOurs(ZoneSlot? slot) =>
            slot is not null && (slot.Source is null || ReferenceEquals(slot.Source, source));

        private Claims ClaimsOn(DomainName name)
        {
            if (_claims.TryGetValue(name, out Claims claims)) return claims;
            ZoneSlot? now = current.FindExact(name);
            return new Claims(now, now, waiting.TryGetValue(name, out List<ZoneSlot>? others) ? [.. others] : null);
        }
    }
}
