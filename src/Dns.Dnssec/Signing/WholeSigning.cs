namespace Dns.Dnssec.Signing;

/// <summary>Signs a whole zone: threads sign ranges in canonical order, the caller's collects the records.</summary>
internal sealed class WholeSigning(SigningRun run, SigningOptions options, CancellationToken cancellation)
{
    private const int PartNames = 128;
    private const long ProgressNames = 4096;

    private readonly ZoneBuilder _builder = new(run.Apex, limits: SignedLimits.Of(options.Limits));
    private readonly List<HashedName> _hashes = [];
    private readonly List<byte[]> _starts = [];
    private long _names;
    private long _reported;

    /// <summary>Makes the signed version, without ZONEMD.</summary>
    internal Zone Run()
    {
        int names = FindStarts();
        SourceParts parts = new(run, _starts);
        Do(_starts.Count, () => parts.MakeWorker());
        if (run.Plan.Denial.IsHashed) AddChain();
        Zone signed = _builder.Build();
        foreach (ZoneBuildDiagnostic note in _builder.Notes)
            if (note.Kind is not (ZoneBuildDiagnosticKind.DuplicateRecord or ZoneBuildDiagnosticKind.MixedTtl))
                throw new SigningException(
                    $"found too much at {note.Owner}, expected a name that can hold its signatures too");
        Report(names, isLast: true);
        return signed;
    }

    private int FindStarts()
    {
        int count = 0;
        foreach (ZoneNode node in run.Source.Order)
            if (count++ % PartNames == 0) _starts.Add(node.Name.ToArray());
        return count;
    }

    private void AddChain()
    {
        _hashes.Sort();
        for (int i = 1; i < _hashes.Count; i++)
            if (_hashes[i].IsSameHash(_hashes[i - 1]))
                throw new SigningException("found two names with the same NSEC3 hash, expected another salt");
        int parts = (_hashes.Count + PartNames - 1) / PartNames;
        Do(parts, () =>
        {
            NodeSigner signer = new(run);
            return (part, batch) =>
            {
                int end = Math.Min(_hashes.Count, (part + 1) * PartNames);
                for (int i = part * PartNames; i < end; i++)
                    signer.AddHashed(_hashes[i], _hashes[i + 1 == _hashes.Count ? 0 : i + 1],
                        run.Bitmaps[_hashes[i].Bitmap], batch);
                signer.RRsets.Report();
            };
        });
    }

    private void Do(int count, Func<Action<int, RecordBatch>> makeWorker) =>
        new OrderedWork(count, options.Threads, makeWorker, cancellation).Run(batch =>
        {
            batch.AddTo(_builder);
            _hashes.AddRange(batch.Hashes);
            _names += batch.Names;
            Report(run.Source.NameCount, isLast: false);
        });

    private void Report(int names, bool isLast)
    {
        if (options.Progress is not { } progress || !isLast && run.SignaturesMade < _reported + ProgressNames) return;
        _reported = run.SignaturesMade;
        progress.Report(new SigningProgress(_names, names, run.SignaturesMade, run.SignaturesKept));
    }
}
