using System.Collections.Concurrent;
using System.Net.Sockets;
using System.Runtime.Versioning;
using Dns.Testing;

namespace Dns.Transport.Tests;

/// <summary>
/// What the batched listener does when the kernel refuses: said by the test, because not every machine can be
/// brought to it.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class BatchFaultTests
{
    private const int Eintr = 4;
    private const int Eio = 5;
    private const int Eagain = 11;
    private const int Enomem = 12;
    private const int Emsgsize = 90;
    private const int Einval = 22;
    private const int Enoprotoopt = 92;
    private const int Eopnotsupp = 95;
    private const int Enetdown = 100;
    private const int Enobufs = 105;

    private const int DontWait = 0x40;

    [LinuxFact]
    public async Task An_answer_that_the_kernel_has_no_room_for_costs_no_neighbour()
    {
        // Three are sent, the fourth fails, and the others are retried.
        await using BusyRig busy = new(with: With(BatchCallKind.Send, 1, 3, -Enobufs));
        busy.Queue(20);
        busy.GoOn();
        int[] got = [.. Enumerable.Range(0, 20).Select(_ => (int)busy.Rig.ReceiveId(busy.Rig.Client)).Order()];
        Assert.Equal(Enumerable.Range(0, 21).Where(id => id != 4), got);
        busy.Rig.WaitFor(counters => counters is { Sent: 20, SendErrors: 1 });
    }

    [LinuxFact]
    public async Task Interrupted_calls_lose_nothing()
    {
        await using BusyRig busy = new(with: With(BatchCallKind.Send, 1, -Eintr, -Eintr, 5, -Eintr));
        busy.Queue(20);
        busy.ReceiveAll(20);
        busy.Rig.WaitFor(counters => counters is { Sent: 21, SendErrors: 0 });
    }

    [LinuxFact]
    public async Task A_full_send_buffer_is_waited_for_once_a_batch()
    {
        ConcurrentQueue<int> flags = new();
        int calls = 0;
        await using BusyRig busy = new(with: options => options with
        {
            Fault = call =>
            {
                if (call.Kind != BatchCallKind.Send)
                {
                    return 0;
                }

                flags.Enqueue(call.Flags);
                return Interlocked.Increment(ref calls) is 2 or 3 ? -Eagain : 0;
            },
        });
        busy.Queue(20);
        busy.GoOn();
        busy.Rig.WaitFor(counters => counters is { Sent: 19, SendErrors: 2 });
        for (int i = 0; i < 19; i++)
        {
            busy.Rig.Receive(busy.Rig.Client);
        }

        busy.Rig.Ask(TestResponder.Query(1));
        Assert.Equal([0, 0, DontWait, DontWait, 0], flags);
    }

    [LinuxTheory]
    [InlineData(Einval)]
    [InlineData(Eio)]
    [InlineData(Enoprotoopt)]
    [InlineData(Eopnotsupp)]
    public async Task A_kernel_without_segmentation_is_not_asked_again_soon(int error)
    {
        int asked = 0;
        await using BusyRig busy = new(segment: true, with: options => options with
        {
            Fault = call =>
            {
                bool segmented = call.Kind == BatchCallKind.SendSegmented;
                asked += segmented ? 1 : 0;
                return segmented ? -error : 0;
            },
        });
        busy.Queue(200);
        busy.ReceiveAll(200);
        UdpCounters counters = busy.Rig.WaitFor(counters => counters.Sent == 201);
        Assert.Equal(1, asked);
        Assert.Equal(1, counters.SegmentationRefusals);
        Assert.Equal(0, counters.Segmented + counters.SendErrors);
    }

    [LinuxFact]
    public async Task Groups_behind_one_whose_segmentation_is_refused_are_sent_too()
    {
        int asked = 0;
        await using BusyRig busy = new(segment: true, with: options => options with
        {
            Fault =
                call => call.Kind == BatchCallKind.SendSegmented && Interlocked.Increment(ref asked) == 1 ? -Einval : 0,
        });
        using Socket first = UdpRig.ClientOf(busy.Rig.Server), second = UdpRig.ClientOf(busy.Rig.Server);
        for (ushort id = 1; id <= 20; id++)
        {
            first.Send(TestResponder.Query(id));
            second.Send(TestResponder.Query(id));
        }

        busy.GoOn();
        foreach (Socket client in (Socket[])[first, second])
        {
            int[] got = [.. Enumerable.Range(0, 20).Select(_ => (int)busy.Rig.ReceiveId(client)).Order()];
            Assert.Equal(Enumerable.Range(1, 20), got);
        }

        busy.Rig.WaitFor(counters => counters is { Sent: 41, SegmentationRefusals: 1, Segmented: 0, SendErrors: 0 });
    }

    [LinuxFact]
    public async Task A_refusal_of_segmentation_holds_for_64_batches()
    {
        int asked = 0;
        await using BusyRig busy = new(segment: true, with: options => options with
        {
            Fault =
                call => call.Kind == BatchCallKind.SendSegmented && Interlocked.Increment(ref asked) == 1 ? -Einval : 0,
        });
        busy.Queue(60);
        busy.ReceiveAll(60);
        busy.Rig.WaitFor(counters => counters is { Sent: 61, SegmentationRefusals: 1, Segmented: 0 });
        for (int i = 0; i < 64; i++)
        {
            busy.Rig.Ask(TestResponder.Query(1));
        }

        busy.HoldAgain();
        busy.Queue(60);
        busy.ReceiveAll(60);
        busy.Rig.WaitFor(counters => counters is { Sent: 61 + 64 + 61, SegmentationRefusals: 1, Segmented: > 0 });
    }

    [LinuxTheory]
    [InlineData(Enobufs)]
    [InlineData(Enomem)]
    [InlineData(Enetdown)]
    public async Task Receiving_that_fails_is_counted_and_goes_on(int error)
    {
        int left = 10;
        await using UdpRig rig = new(UdpListenerKind.Batched, with: options => options with
        {
            Workers = 1,
            Fault = call => call.Kind == BatchCallKind.Receive && Interlocked.Decrement(ref left) >= 0 ? -error : 0,
        });
        Assert.Equal(7, rig.Ask(TestResponder.Query(7))[1]);
        Assert.Equal(10, rig.Listener.Counters.ReceiveErrors);
    }

    [LinuxFact]
    public async Task A_later_answer_that_fails_is_counted_and_the_next_is_sent()
    {
        LaterAnswers later = new();
        await using UdpRig rig = new(
            UdpListenerKind.Batched, responder: later.Responder,
            with: With(BatchCallKind.SendDeferred, 0, -Eintr, -Enobufs));
        rig.Client.Send(TestResponder.Query(LaterAnswers.FirstLater));
        rig.Client.Send(TestResponder.Query(LaterAnswers.FirstLater + 1));
        foreach ((ushort id, ReplyPath path) in later.Next(2).OrderBy(taken => taken.Key))
        {
            path.Send(LaterAnswers.AnswerTo(id));
        }

        Assert.Equal(LaterAnswers.FirstLater + 1, rig.ReceiveId(rig.Client));
        rig.WaitFor(counters => counters is { Sent: 1, SendErrors: 1, Unanswered: 0 });
    }

    // An ID, one question a. A IN, one answer of 200 octets.
    private static byte[] LongAnswer(ushort id) =>
    [
        (byte)(id >> 8), (byte)id, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, (byte)'a', 0, 0, 1, 0, 1,
        0xC0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, 200, 199, .. new byte[199],
    ];

    private static string TruncatedAnswer(ushort id) => $"{id:X4}82000001000000000000016100" + "00010001";

    [LinuxTheory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_answer_too_long_for_the_path_is_sent_truncated(bool segment)
    {
        // Of four answers the second is refused, as a whole and, in a segmented batch, when it is sent alone once more.
        int refused = 0;
        BatchCallKind kind = segment ? BatchCallKind.SendSegmented : BatchCallKind.Send;
        await using BusyRig busy = new(segment, with: options => options with
        {
            Fault = call => call.Kind == kind && Interlocked.Increment(ref refused) == 2 ? -Emsgsize : 0,
        });
        for (ushort id = 1; id <= 4; id++)
        {
            busy.Rig.Client.Send(LongAnswer(id));
        }

        busy.GoOn();
        byte[] octets = new byte[512];
        int whole = 0, truncated = 0;
        for (int i = 0; i < 5; i++)
        {
            int length = busy.Rig.Client.Receive(octets);
            whole += length == 231 ? 1 : 0;
            truncated += length == 19 && Convert.ToHexString(octets[2..19]) == TruncatedAnswer(0)[4..] ? 1 : 0;
        }

        Assert.True(whole + truncated == 4, $"{whole} whole, {truncated} truncated");
        Assert.True(segment || truncated > 0, $"{truncated} truncated");
        busy.Rig.WaitFor(counters => counters is { Sent: 5, SendErrors: 0 });
    }

    [LinuxFact]
    public async Task A_later_answer_too_long_for_the_path_is_sent_truncated()
    {
        LaterAnswers later = new();
        await using UdpRig rig = new(
            UdpListenerKind.Batched, responder: later.Responder, with: With(BatchCallKind.SendDeferred, 0, -Emsgsize));
        rig.Client.Send(TestResponder.Query(LaterAnswers.FirstLater));
        foreach ((ushort id, ReplyPath path) in later.Next(1))
        {
            path.Send(LongAnswer(id));
        }

        byte[] octets = new byte[512];
        Assert.Equal(19, rig.Client.Receive(octets));
        rig.WaitFor(counters => counters is { Sent: 1, SendErrors: 0 });
    }

    [LinuxTheory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Full_batches_take_far_less_than_two_calls_a_query(bool segment)
    {
        // The portable listener takes two at least: one to receive and one to send each datagram.
        int calls = 0;
        await using BusyRig busy = new(segment, with: options => options with
        {
            Fault = _ =>
            {
                calls++;
                return 0;
            },
        });
        busy.Queue(640);
        int before = calls;
        busy.ReceiveAll(640);
        busy.Rig.WaitFor(counters => counters.Sent == 641);
        Assert.InRange(calls - before, 20, 64);
    }

    /// <summary>Verdicts for the calls of a kind, one after the other, after some that are left alone.</summary>
    private static Func<TransportOptions, TransportOptions> With(
        BatchCallKind kind, int leftAlone, params int[] verdicts)
    {
        int calls = -leftAlone;
        return options => options with
        {
            Fault = call =>
            {
                if (call.Kind != kind)
                {
                    return 0;
                }

                int index = Interlocked.Increment(ref calls) - 1;
                return index >= 0 && index < verdicts.Length ? verdicts[index] : 0;
            },
        };
    }
}
