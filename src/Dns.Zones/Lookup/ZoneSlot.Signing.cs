namespace Dns.Zones.Lookup;

/// <content>Zones that are signed here: the source's versions apart from the served ones.</content>
public partial class ZoneSlot
{
    /// <summary>Serves a signed version of <see cref="SourceZone"/>; for the signer only.</summary>
    /// <param name="now">The time; null = unknown.</param>
    /// <param name="delta">The delta from the previous signed version; null = unknown.</param>
    /// <param name="version">The source's version that it was made from; null = unknown. It does not replace a later
    /// one that is served unsigned.</param>
    /// <returns>False, with no change, if not signed here, without data, or a later version is served.</returns>
    /// <exception cref="ArgumentException">The zone has another name than the slot.</exception>
    public bool PublishSigned(Zone zone, DateTimeOffset? now = null, ZoneDelta? delta = null, Zone? version = null)
    {
        ThrowIfOther(zone);
        if (_source is not { } source) return false;
        lock (source)
        {
            if (source.Zone is null || !ReferenceEquals(source, _source)) return false;
            bool isUnsigned = ServesSource(source);
            if (isUnsigned && version is not null && !ReferenceEquals(version, source.Zone)) return false;
            // A new signature does not clear an error of the source.
            ZoneFailure? failure = source.IsFailed ? _failure : null;
            if (version is not null) source.Signed = version;
            if (ReferenceEquals(version, source.Zone)) source.SigningFailure = null;
            Serve(zone, now, isUnsigned ? null : delta, failure);
        }
        return true;
    }

    /// <summary>
    /// Why the source's last versions could not be signed, while the latest is not served; null if it is, or may be.
    /// </summary>
    public ZoneFailure? SigningFailure =>
        _source is { } source && !ServesSource(source) && !ReferenceEquals(source.Signed, source.Zone)
            ? source.SigningFailure : null;

    /// <summary>Whether the source's version is served although the zone is signed here: it was never signed.</summary>
    public bool IsServedUnsigned => _source is { } source && ServesSource(source);

    /// <summary>Serves the source's versions of a zone never signed, until it is. For the signer only.</summary>
    public void ServeUntilSigned(DateTimeOffset? now = null)
    {
        if (_source is not { } source) return;
        lock (source)
        {
            if (source.Zone is not { } zone || _zone is not null || !ReferenceEquals(source, _source)) return;
            Serve(zone, now, null, source.IsFailed ? _failure : null);
        }
    }

    /// <summary>Serves the source's version from now on. For the signer only, when it releases the zone.</summary>
    public void EndSigning(DateTimeOffset? now = null)
    {
        if (_source is not { } source) return;
        lock (source)
        {
            if (!ReferenceEquals(source, _source)) return;
            if (source.Zone is { } zone) Serve(zone, now, null, source.IsFailed ? _failure : null);
            _source = null;
        }
        // A policy may have been set meanwhile.
        if (SignerOf(_zone) is not null) PassToSigner();
    }

    /// <summary>Records that the latest data cannot be signed, like <see cref="Fail"/>; for the signer only.</summary>
    public void FailSigning(ZoneFailure reason, DateTimeOffset? now = null)
    {
        if (_source is not { } source) return;
        lock (source)
        {
            if (source.Zone is null) return;
            source.SigningFailure = reason;
            if (!source.IsFailed) EnterFailure(reason, now);
        }
    }

    /// <summary>Withholds data from before the claim until signed; <see cref="PassToSigner"/> passes it on.</summary>
    internal void AwaitSigner()
    {
        if (_zone is not { } zone || SignerOf(zone) is null) return;
        SourceVersions source = BeginSigning(zone);
        lock (source)
        {
            if (!ServesSource(source)) return;
            _zone = null;
            _state = ZoneState.Loading;
        }
    }

    /// <summary>
    /// Passes the published data to the signer, if there is one, else serves it. A zone that is served unsigned remains
    /// so until it is signed.
    /// </summary>
    internal void PassToSigner()
    {
        if (SignerOf(SourceZone) is not { } signer)
        {
            if (_source is null) return;
            Registry?.Signer?.Release(this);
            EndSigning();
            return;
        }
        if (_zone is { } served) BeginSigning(served);
        if (_source?.Zone is { } zone) signer.Sign(this, new ZoneVersionChange(null, zone, null), null);
    }

    /// <summary>The signer of a version of the source; null = it is served as it is.</summary>
    private IZoneSigning? SignerOf(Zone? version) =>
        Registry?.Signer is { } signer && (Policy?.Dnssec is not null || signer.Keeps(this, version)) ? signer : null;

    private void ServeUnsigned(Zone zone, DateTimeOffset? now, ZoneDelta? delta)
    {
        if (_source is not { } source)
        {
            Serve(zone, now, delta);
            return;
        }
        // The served version is not a version of the source.
        lock (source)
        {
            _source = null;
            Serve(zone, now, null);
        }
    }

    /// <summary>The source's data, apart from what is served from now on.</summary>
    private SourceVersions BeginSigning(Zone? served)
    {
        if (_source is { } source) return source;
        SourceVersions begun = new() { Zone = served };
        return Interlocked.CompareExchange(ref _source, begun, null) ?? begun;
    }

    private bool ServesSource(SourceVersions source) => _zone is { } zone && ReferenceEquals(zone, source.Zone);

    /// <summary>Data of the source of a zone signed here. Locked: source and signer are different threads.</summary>
    private sealed class SourceVersions
    {
        internal volatile Zone? Zone;

        /// <summary>The version that the served one was made from; null if unknown.</summary>
        internal volatile Zone? Signed;

        /// <summary>Why a version could not be signed, until one is; null if none.</summary>
        internal volatile ZoneFailure? SigningFailure;

        /// <summary>Whether the failure is the source's, not the signer's.</summary>
        internal bool IsFailed;
    }
}
