namespace Dns.Dnssec.Signing;

/// <summary>Ranges of a source in canonical order, signed by several threads.</summary>
/// <param name="starts">The first name of each range.</param>
internal sealed class SourceParts(SigningRun run, List<byte[]> starts)
{
    /// <summary>Creates the function that signs ranges on one thread.</summary>
    internal Action<int, RecordBatch> MakeWorker()
    {
        NodeSigner signer = new(run);
        byte[] top = new byte[WireName.MaxOctets], aheadTop = new byte[WireName.MaxOctets];
        return (part, batch) =>
        {
            Sign(part, signer, top, aheadTop, batch);
            signer.RRsets.Report();
        };
    }

    private void Sign(int part, NodeSigner signer, byte[] top, byte[] aheadTop, RecordBatch batch)
    {
        ReadOnlySpan<byte> end = part + 1 < starts.Count ? starts[part + 1] : default;
        SourceWalk walk = new(run.Source, starts[part], top);
        while (walk.MoveNext())
        {
            ZoneNode node = walk.Current;
            if (!end.IsEmpty && node.Name.SequenceEqual(end)) return;
            batch.Names++;
            signer.Sign(node, walk.IsHidden, batch);
            if (walk.IsHidden || !SourceNames.IsInChain(run.Source, node, run.Plan.Denial)) continue;
            if (run.Plan.Denial.IsHashed) batch.Hashes.Add(Hash(node.Name, run.Bitmaps.NumberOf(signer.Bitmap())));
            else signer.AddNsec(node.Name, NextOf(walk.Ahead(aheadTop)), batch);
        }
    }

    private HashedName Hash(ReadOnlySpan<byte> name, int bitmap)
    {
        Span<byte> hash = stackalloc byte[Nsec3Hash.LengthOctets];
        Nsec3Hash.Compute(name, run.Plan.Denial.Salt, run.Plan.Denial.Iterations, hash);
        return HashedName.Of(hash, bitmap);
    }

    /// <summary>The next name with an NSEC record; after the last one the apex.</summary>
    private ReadOnlySpan<byte> NextOf(SourceWalk ahead)
    {
        while (ahead.MoveNext())
            if (!ahead.IsHidden && SourceNames.HasOwnData(ahead.Current)) return ahead.Current.Name;
        return run.Apex;
    }
}
