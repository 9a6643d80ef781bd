using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace Dns.Transport;

/// <summary>
/// Sends the answers of a batch with as few calls as the kernel lets it: entry by entry where one fails, so
/// that a bad destination costs its own answer and no neighbour's.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed unsafe class BatchSender : IDisposable
{
    // Below this the work of grouping costs more than the calls it saves.
    private const int FewestToSegment = 16;

    private readonly int _socket;
    private readonly MessageBatch _batch;
    private SegmentGroups? _segments;

    public BatchSender(int socket, MessageBatch batch, bool segment)
    {
        _socket = socket;
        _batch = batch;
        _segments = segment ? new SegmentGroups(batch) : null;
    }

    /// <summary>Whether the kernel has not refused segmentation so far.</summary>
    public bool Segments => _segments is not null;

    /// <summary>Sends every answer that has a length.</summary>
    public void Send(ReadOnlySpan<int> lengths, ref LaneCounts counts)
    {
        if (lengths.Length >= FewestToSegment && _segments is not null && _segments.TryGroup(lengths))
        {
            SendSegmented(lengths, ref counts);
            return;
        }

        for (int start = 0; start < lengths.Length; start++)
        {
            int end = start;
            while (end < lengths.Length && lengths[end] > 0)
            {
                _batch.SetLength(end, lengths[end]);
                end++;
            }

            SendRun(start, end, ref counts);
            start = end;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _segments?.Dispose();

    private void SendRun(int start, int end, ref LaneCounts counts)
    {
        while (start < end)
        {
            int sent = LinuxSocketCalls.SendMany(_socket, _batch.Entries + start, (uint)(end - start), 0);
            if (sent > 0)
            {
                counts.Sent += sent;
                start += sent;
            }
            else if (Marshal.GetLastPInvokeError() != LinuxSocketCalls.Eintr)
            {
                counts.SendErrors++;
                start++;
            }
        }
    }

    private void SendSegmented(ReadOnlySpan<int> lengths, ref LaneCounts counts)
    {
        SegmentGroups groups = _segments!;
        for (int next = 0; next < groups.Count;)
        {
            int sent = LinuxSocketCalls.SendMany(
                _socket, groups.Entries + next, (uint)(groups.Count - next), 0);
            if (sent > 0)
            {
                CountSent(groups, next, sent, ref counts);
                next += sent;
                continue;
            }

            int error = Marshal.GetLastPInvokeError();
            if (error == LinuxSocketCalls.Eintr)
            {
                continue;
            }

            ReadOnlySpan<byte> members = groups.MembersOf(next++);
            if (members.Length == 1)
            {
                counts.SendErrors++;
                continue;
            }

            SendSingly(members, lengths, ref counts);
            if (IsRefusal(error))
            {
                SendRest(groups, next, lengths, ref counts);
                StopSegmenting();
                return;
            }
        }
    }

    private static void CountSent(SegmentGroups groups, int first, int sent, ref LaneCounts counts)
    {
        for (int i = first; i < first + sent; i++)
        {
            int members = groups.MembersOf(i).Length;
            counts.Sent += members;
            counts.Segmented += members > 1 ? members : 0;
        }
    }

    private void SendRest(SegmentGroups groups, int next, ReadOnlySpan<int> lengths, ref LaneCounts counts)
    {
        for (; next < groups.Count; next++)
        {
            SendSingly(groups.MembersOf(next), lengths, ref counts);
        }
    }

    private void SendSingly(ReadOnlySpan<byte> members, ReadOnlySpan<int> lengths, ref LaneCounts counts)
    {
        foreach (byte member in members)
        {
            _batch.SetLength(member, lengths[member]);
            SendRun(member, member + 1, ref counts);
        }
    }

    private void StopSegmenting()
    {
        _segments?.Dispose();
        _segments = null;
    }

    private static bool IsRefusal(int error) => error
        is LinuxSocketCalls.Einval or LinuxSocketCalls.Eio or LinuxSocketCalls.Emsgsize
        or LinuxSocketCalls.Eopnotsupp or LinuxSocketCalls.Enoprotoopt;
}
