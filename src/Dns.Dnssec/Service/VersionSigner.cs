namespace Dns.Dnssec.Service;

/// <summary>
/// Signs versions of a zone's source, renews signatures, and serves the results. Belongs to the thread that works on
/// the zone.
/// </summary>
internal sealed class VersionSigner(SignedZone zone, ZoneSigning owner, KeyDriver keys, CopyKeeper copies)
{
    /// <summary>Above this, the digest of the zone takes too long for the thread of a change.</summary>
    private const int MostNamesDigested = 20_000;

    /// <summary>What a change may affect for it to be signed at once, by its records.</summary>
    private const int LeastNamesAtOnce = 64, NamesOfRecord = 4;

    private RefreshRound _round = new();
    private (Zone Saved, IReadOnlyList<ZoneDelta> Deltas)? _restored;

    /// <summary>The version of the source that is signed; null = none yet.</summary>
    internal Zone? From { get; private set; }

    /// <summary>Its signed version, or the saved one; null = none.</summary>
    internal Zone? Signed { get; private set; }

    /// <summary>The next renewal of signatures; null if not signed.</summary>
    internal DateTimeOffset? RefreshDue { get; private set; }

    /// <summary>Whether the last version was refused: its plan or its source is not served yet.</summary>
    internal bool IsRefused { get; private set; }

    /// <summary>The rules of serials.</summary>
    internal SerialGuard Serials { get; } = new(zone, owner, keys, copies);

    /// <summary>Continues with a saved version.</summary>
    /// <param name="deltas">Those that led to it.</param>
    internal void Restore(Zone kept, IReadOnlyList<ZoneDelta> deltas)
    {
        Signed = kept;
        copies.SavedSerial = kept.Serial;
        keys.NoteServed(kept, null);
        _restored = (kept, deltas);
    }

    /// <summary>Signs a small change; false if another thread has to.</summary>
    // A cut above many names affects them with one record: another thread signs those.
    internal bool TrySignChange(Zone? before, Zone now, ZoneDelta delta)
    {
        if (Signed is not { } signed || keys.Plan is not { } plan || before is null || !ReferenceEquals(From, before))
            return false;
        if (plan.Zonemd && now.NameCount > MostNamesDigested) return false;
        // Rare, and its serial depends on more.
        if (zone.Slot.IsServedUnsigned) return false;
        int most = LeastNamesAtOnce + NamesOfRecord * (delta.Removed.Count + delta.Added.Count);
        SigningOptions options = OptionsNow with { MostNames = most };
        SigningResult result = ZoneSigner.Sign(signed, before, now, delta, plan, owner.Now, options);
        if (!result.IsSigned) return false;
        Publish(now, result);
        return true;
    }

    /// <summary>Signs a version of the source, or serves it unsigned without a plan.</summary>
    /// <exception cref="SigningFailedException">It is not signed.</exception>
    internal void Sign(Zone source, IProgress<SigningProgress> progress, CancellationToken cancellation)
    {
        if (keys.Plan is null)
        {
            ServeUnsigned(source);
            return;
        }
        long began = owner.Time.GetTimestamp();
        SigningOptions options = OptionsNow with { Progress = progress, LostSerial = Serials.LowerBound };
        SigningResult result = Signed is { } signed && From is { } from
            ? ZoneSigner.Sign(signed, from, source, null, keys.Plan, owner.Now, options, cancellation)
            : ZoneSigner.SignWhole(source, keys.Plan, owner.Now, options with { Previous = Signed }, cancellation);
        if (!result.IsSigned) throw new SigningFailedException($"it cannot be signed: {result.Error}");
        bool isOther = !ReferenceEquals(result.Zone, Signed);
        Publish(source, result);
        Serials.EndLoss();
        if (isOther)
            owner.Observer.OnSigned(
                zone.Slot.Name, result.Zone, source.Serial, result, owner.Time.GetElapsedTime(began));
    }

    /// <summary>Checks all signatures at the next renewal, which is due now.</summary>
    internal void RefreshAll() => (_round, RefreshDue) = (new RefreshRound(), owner.Now);

    /// <summary>Renews signatures that expire soon, if that is due.</summary>
    internal void Refresh()
    {
        if (keys.Plan is null) RefreshDue = null;
        if (RefreshDue is not { } due || due > owner.Now) return;
        SigningResult result =
            ZoneSigner.Refresh(Signed!, keys.Plan!, owner.Now, owner.Options.RefreshBudget, _round, OptionsNow);
        if (!result.IsSigned) throw new SigningFailedException($"its signatures cannot be renewed: {result.Error}");
        Publish(From!, result, isRefresh: true);
        if (!result.IsRoundComplete)
        {
            RefreshDue = owner.Now;
            return;
        }
        (_round, RefreshDue) = (new RefreshRound(), result.NextRefresh);
    }

    private SigningOptions OptionsNow => new()
    {
        Threads = zone.Slot.SourceZone is { NameCount: > MostNamesDigested } ? owner.Options.Threads : 1,
        Limits = owner.Options.Limits,
    };

    /// <summary>Serves the signed version of a source version, and queues it for saving.</summary>
    private void Publish(Zone source, SigningResult result, bool isRefresh = false)
    {
        if (zone.IsGone) return;
        Zone signed = result.Zone!;
        bool isOther = !ReferenceEquals(signed, Signed);
        if (isOther)
        {
            IsRefused = !isRefresh;
            if (Serials.FindRefusal(signed, Signed) is { } refusal)
            {
                _round = new RefreshRound();
                throw new SigningFailedException(refusal);
            }
            copies.Keep(signed, result.Delta);
        }
        IsRefused = false;
        signed = keys.WithOnlineSigner(signed);
        (From, Signed) = (source, signed);
        bool isWhole = isOther && result.Delta is null;
        if (result.NextRefresh is { } next) RefreshDue = isWhole ? next : SignedZone.Earlier(RefreshDue, next);
        if (isOther) keys.NoteServed(signed, result.Delta);
        if (!isOther && ReferenceEquals(zone.Slot.Zone, signed)) return;
        Serve(signed, isOther ? result.Delta : null, source);
    }

    /// <summary>Serves the signed version if nothing is served.</summary>
    /// <param name="source">The version of the source; null = unknown.</param>
    internal void ServeAgain(Zone? source)
    {
        if (zone.Slot.Zone is null && Signed is { } signed) Serve(signed, null, source);
    }

    private void Serve(Zone signed, ZoneDelta? delta, Zone? source)
    {
        if (!zone.Slot.PublishSigned(signed, owner.Now, delta, source)) return;
        if (_restored is not var (saved, deltas)) return;
        _restored = null;
        owner.OnRestored(zone.Slot, saved, deltas);
    }

    /// <summary>Whether a version has all signatures: a key makes those of compact denial.</summary>
    internal static bool IsComplete(Zone version) => !version.IsSigned
        || version.ApexNode.TryFind(RRType.NSEC, out _) || version.ApexNode.TryFind(RRType.NSEC3PARAM, out _);

    /// <summary>
    /// Serves a version unchanged, and releases the zone, if its serial is above all served ones, or its SOA record is
    /// signed. Otherwise serves it with another serial, which secondaries accept. Called when no cache needs
    /// signatures.
    /// </summary>
    internal void ServeUnsigned(Zone source)
    {
        uint? last = Serials.Lost is { } lost && (Signed is null || SerialNumber.IsGreater(lost, Signed.Serial))
            ? lost : Signed?.Serial;
        if (last is not { } served || SerialNumber.IsGreater(source.Serial, served))
        {
            owner.Leave(zone);
            return;
        }
        // With another serial, the signature of another signer over the SOA record would not be valid.
        if (ApexRecords.SignersOf(source, RRType.SOA, owner.Now).Count > 0)
        {
            owner.Leave(zone, behind: served);
            return;
        }
        if (Signed is { } before && Serials.Lost is null && UnsignedVersion.IsSame(source, before))
        {
            Publish(source, new SigningResult { Zone = before });
            return;
        }
        Zone next = UnsignedVersion.Of(source, unchecked(served + 1), owner.Options.Limits)
            ?? throw new SigningFailedException(
                "it cannot be served without signatures: its SOA record cannot be changed");
        ZoneDelta? delta = Signed is { } signed
            && ZoneDelta.TryFindBetween(signed, next, owner.Options.SmallChange, out ZoneDelta? found) ? found : null;
        _round = new RefreshRound();
        Publish(source, new SigningResult { Zone = next, Delta = delta });
        Serials.EndLoss();
    }
}
