using System.Runtime.InteropServices;

namespace Dns.Bench;

/// <content>Many datagrams of one length as one message that the kernel cuts (UDP_SEGMENT).</content>
internal static unsafe partial class LinuxSockets
{
    private const int UdpLevel = 17;
    private const int UdpSegment = 103;
    private const int MaxSegments = 64;

    /// <summary>struct cmsghdr with the length of a segment.</summary>
    [StructLayout(LayoutKind.Sequential, Size = 24)]
    private struct SegmentControl
    {
        internal nuint Octets;
        internal int Level;
        internal int Type;
        internal ushort SegmentOctets;
    }

    internal sealed partial class Batch
    {
        private MessageEntry* _runs;
        private SegmentControl* _controls;

        /// <summary>Sends the first datagrams, neighbours of one length together. The socket is connected.</summary>
        internal void SendSegmented(int handle, int count)
        {
            if (_runs == null)
            {
                _runs = (MessageEntry*)NativeMemory.AllocZeroed((nuint)Capacity, (nuint)sizeof(MessageEntry));
                _controls = (SegmentControl*)NativeMemory.AllocZeroed((nuint)Capacity, (nuint)sizeof(SegmentControl));
            }
            int runs = 0;
            for (int i = 0; i < count; runs++)
            {
                int start = i;
                nuint octets = _buffers[start].Octets;
                while (i < count && i - start < MaxSegments && _buffers[i].Octets == octets) i++;
                _runs[runs].Buffers = _buffers + start;
                _runs[runs].BufferCount = (nuint)(i - start);
                _controls[runs] = new SegmentControl
                {
                    Octets = 18, Level = UdpLevel, Type = UdpSegment, SegmentOctets = (ushort)octets,
                };
                bool isCut = i - start > 1;
                _runs[runs].Control = isCut ? (byte*)(_controls + runs) : null;
                _runs[runs].ControlOctets = isCut ? (nuint)sizeof(SegmentControl) : 0;
            }
            LinuxSockets.Send(handle, _runs, runs);
        }
    }
}
