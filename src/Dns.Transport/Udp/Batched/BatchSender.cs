using System.Runtime.Versioning;

namespace Dns.Transport.Udp.Batched;

/// <summary>
/// Sends the answers of a batch with as few calls as possible; one by one where an entry fails, so that a bad
/// destination costs only its own answer.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed unsafe class BatchSender : IDisposable
{
    // Below this, grouping costs more than the calls it saves.
    private const int FewestToSegment = 4;

    // A refusal may depend on the route and change, so segmentation is retried.
    private const int FirstPauseBatches = 64;
    private const int LongestPauseBatches = 64 * 1024;

    private readonly int _socket;
    private readonly BatchCalls _calls;
    private readonly MessageBatch _batch;
    private readonly SegmentGroups? _segments;
    private int _pauseBatches;
    private int _nextPauseBatches = FirstPauseBatches;
    private int _flags;

    public BatchSender(int socket, BatchCalls calls, MessageBatch batch, bool segment)
    {
        _socket = socket;
        _calls = calls;
        _batch = batch;
        _segments = segment ? new SegmentGroups(batch) : null;
    }

    /// <summary>Sends every answer with a length above 0.</summary>
    public void Send(ReadOnlySpan<int> lengths, ref UdpWorkerCounts counts)
    {
        _flags = 0;
        if (_pauseBatches > 0)
        {
            _pauseBatches--;
        }
        else if (lengths.Length >= FewestToSegment && _segments is not null && _segments.TryGroup(lengths))
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

    public void Dispose() => _segments?.Dispose();

    private void SendRun(int start, int end, ref UdpWorkerCounts counts)
    {
        while (start < end)
        {
            int sent = _calls.Send(_socket, _batch.Entries + start, end - start, _flags, BatchCallKind.Send);
            if (sent > 0)
            {
                counts.Sent += sent;
                start += sent;
            }
            else
            {
                int error = Marshal.GetLastPInvokeError();
                bool isTooLong = error == LinuxSocketCalls.Emsgsize;
                start += isTooLong && _batch.TryTruncate(start) ? 0 : CountFailed(error, ref counts);
            }
        }
    }

    private void SendSegmented(ReadOnlySpan<int> lengths, ref UdpWorkerCounts counts)
    {
        SegmentGroups groups = _segments!;
        for (int next = 0; next < groups.Count;)
        {
            int sent = _calls.Send(
                _socket, groups.Entries + next, groups.Count - next, _flags, BatchCallKind.SendSegmented);
            if (sent > 0)
            {
                CountSent(groups, next, sent, ref counts);
                _nextPauseBatches = FirstPauseBatches;
                next += sent;
                continue;
            }
            int error = Marshal.GetLastPInvokeError();
            if (error == LinuxSocketCalls.Eintr) continue;
            ReadOnlySpan<byte> members = groups.MembersOf(next++);
            if (members.Length == 1 && error != LinuxSocketCalls.Emsgsize)
            {
                CountFailed(error, ref counts);
                continue;
            }
            SendSingly(members, lengths, ref counts);
            if (members.Length > 1 && IsRefusal(error))
            {
                SendRest(groups, next, lengths, ref counts);
                PauseSegmenting();
                counts.SegmentationRefusals++;
                return;
            }
        }
    }

    /// <summary>Counts an answer that the kernel refused: 1, or 0 after an interrupted call.</summary>
    private int CountFailed(int error, ref UdpWorkerCounts counts)
    {
        if (error == LinuxSocketCalls.Eintr) return 0;
        // The wait for a full send buffer is used up: the rest of the batch must not wait as long each.
        _flags |= error == LinuxSocketCalls.Eagain ? LinuxSocketCalls.MsgDontWait : 0;
        counts.SendErrors++;
        return 1;
    }

    private static void CountSent(SegmentGroups groups, int first, int sent, ref UdpWorkerCounts counts)
    {
        for (int i = first; i < first + sent; i++)
        {
            int members = groups.MembersOf(i).Length;
            counts.Sent += members;
            counts.Segmented += members > 1 ? members : 0;
        }
    }

    private void SendRest(SegmentGroups groups, int next, ReadOnlySpan<int> lengths, ref UdpWorkerCounts counts)
    {
        for (; next < groups.Count; next++) SendSingly(groups.MembersOf(next), lengths, ref counts);
    }

    private void SendSingly(ReadOnlySpan<byte> members, ReadOnlySpan<int> lengths, ref UdpWorkerCounts counts)
    {
        foreach (byte member in members)
        {
            _batch.SetLength(member, lengths[member]);
            SendRun(member, member + 1, ref counts);
        }
    }

    private void PauseSegmenting()
    {
        _pauseBatches = _nextPauseBatches;
        _nextPauseBatches = Math.Min(2 * _nextPauseBatches, LongestPauseBatches);
    }

    private static bool IsRefusal(int error) => error
        is LinuxSocketCalls.Einval or LinuxSocketCalls.Eio or LinuxSocketCalls.Emsgsize
        or LinuxSocketCalls.Eopnotsupp or LinuxSocketCalls.Enoprotoopt;
}
