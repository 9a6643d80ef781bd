namespace Dns.Dnssec.Service;

/// <content>Signs versions of the source, renews signatures, and serves the results.</content>
internal sealed partial class SignedZone
{
    // A cut above many names affects them with one record: another thread signs those.
    private bool TrySignChange(Zone? before, Zone now, ZoneDelta delta)
    {
        if (_keys.KeyPlan is { IsSigned: false } && _isLoaded && _wantedPolicy is null) return TryServeUnsigned(now);
        if (_signed is not { } signed || _keys.Plan is not { } plan || before is null
            || !ReferenceEquals(_from, before)) return false;
        if (plan.Zonemd && now.NameCount > MostNamesDigested) return false;
        // Rare, and its serial depends on more.
        if (_slot.IsServedUnsigned) return false;
        int most = LeastNamesAtOnce + NamesOfRecord * (delta.Removed.Count + delta.Added.Count);
        SigningOptions options = OptionsNow with { MostNames = most };
        SigningResult result = ZoneSigner.Sign(signed, before, now, delta, plan, _owner.Now, options);
        if (!result.IsSigned) return false;
        Publish(now, result);
        UpdateStatus(null);
        return true;
    }

    private void Sign(Zone source, CancellationToken cancellation)
    {
        if (_keys.Plan is null)
        {
            ServeUnsigned(source);
            return;
        }
        SigningOptions options = OptionsNow with { Progress = new Reporting(this) };
        long began = _owner.Time.GetTimestamp();
        options = options with { LostSerial = LowerBoundOfSerial() };
        SigningResult result = _signed is { } signed && _from is { } from
            ? ZoneSigner.Sign(signed, from, source, null, _keys.Plan, _owner.Now, options, cancellation)
            : ZoneSigner.SignWhole(source, _keys.Plan, _owner.Now, options with { Previous = _signed }, cancellation);
        if (!result.IsSigned) throw new SigningFailedException($"it cannot be signed: {result.Error}");
        bool isOther = !ReferenceEquals(result.Zone, _signed);
        Publish(source, result);
        _lostSerial = null;
        if (isOther)
            _owner.Observer.OnSigned(_slot.Name, result.Zone, source.Serial, result, _owner.Time.GetElapsedTime(began));
    }

    private void Refresh()
    {
        SigningResult result =
            ZoneSigner.Refresh(_signed!, _keys.Plan!, _owner.Now, _owner.Options.RefreshBudget, _round, OptionsNow);
        if (!result.IsSigned) throw new SigningFailedException($"its signatures cannot be renewed: {result.Error}");
        Publish(_from!, result, isRefresh: true);
        if (!result.IsRoundComplete)
        {
            _refreshDue = _owner.Now;
            return;
        }
        (_round, _refreshDue) = (new RefreshRound(), result.NextRefresh);
    }

    private SigningOptions OptionsNow => new()
    {
        Threads = _slot.SourceZone is { NameCount: > MostNamesDigested } ? _owner.Options.Threads : 1,
        Limits = _owner.Options.Limits,
    };

    /// <summary>Serves the signed version of a source version, and queues it for saving.</summary>
    private void Publish(Zone source, SigningResult result, bool isRefresh = false)
    {
        if (IsGone) return;
        Zone signed = result.Zone!;
        bool isOther = !ReferenceEquals(signed, _signed);
        if (isOther)
        {
            _isRefused = !isRefresh;
            ThrowIfSerialUnsafe(signed);
            _copies.Keep(signed, result.Delta);
        }
        _isRefused = false;
        signed = _keys.WithOnlineSigner(signed);
        (_from, _signed) = (source, signed);
        bool isWhole = isOther && result.Delta is null;
        if (result.NextRefresh is { } next) _refreshDue = isWhole ? next : Earlier(_refreshDue, next);
        if (isOther) _keys.NoteServed(signed, result.Delta);
        if (!isOther && ReferenceEquals(_slot.Zone, signed)) return;
        ServeSigned(signed, isOther ? result.Delta : null, source);
    }

    private void ServeSigned(Zone signed, ZoneDelta? delta, Zone? source)
    {
        if (!_slot.PublishSigned(signed, _owner.Now, delta, source)) return;
        if (_restored is not { } deltas) return;
        _restored = null;
        _owner.OnRestored(_slot, deltas);
    }

    private IReadOnlyList<ZoneDelta>? _restored;
}
