using System.Net.Sockets;
using System.Runtime.Versioning;

namespace Dns.Transport.Udp.Batched;

/// <summary>
/// Deferred replies of a batched worker: one call each, on the worker's socket, from any thread. The reference on the
/// handle prevents the descriptor from being reused during the call.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed unsafe class DescriptorReplies : DatagramReplies
{
    private const int IPv4Family = 2;
    private const int IPv6Family = 10;

    private readonly SafeHandle _socket;
    private readonly BatchCalls _calls;
    private readonly bool _isIPv6;
    private readonly bool _isWildcard;

    /// <param name="socket">The worker's socket; closed by the worker.</param>
    public DescriptorReplies(Socket socket, BatchCalls calls)
    {
        IPEndPoint bound = (IPEndPoint)socket.LocalEndPoint!;
        _socket = socket.SafeHandle;
        _calls = calls;
        _isIPv6 = bound.AddressFamily == AddressFamily.InterNetworkV6;
        _isWildcard = UdpAdmission.IsWildcard(bound.Address);
    }

    protected override bool TrySend(in ReplyPath path, ReadOnlySpan<byte> answer)
    {
        bool held = false;
        try
        {
            if (_socket.IsClosed) return false;
            _socket.DangerousAddRef(ref held);
            return Send((int)_socket.DangerousGetHandle(), path, answer);
        }
        catch (ObjectDisposedException)
        {
            return false;
        }
        finally
        {
            if (held) _socket.DangerousRelease();
        }
    }

    private bool Send(int socket, in ReplyPath path, ReadOnlySpan<byte> answer)
    {
        byte* name = stackalloc byte[MessageBatch.NameOctets];
        nuint* control = stackalloc nuint[MessageBatch.ControlOctets / sizeof(nuint)];
        fixed (byte* octets = answer)
        {
            IoVector vector = new() { Base = octets, Octets = (nuint)answer.Length };
            BatchEntry entry = default;
            entry.Header.Name = name;
            entry.Header.NameOctets = (uint)WriteName(new Span<byte>(name, MessageBatch.NameOctets), path);
            entry.Header.Vectors = &vector;
            entry.Header.VectorCount = 1;
            if (_isWildcard)
            {
                entry.Header.Control = (byte*)control;
                entry.Header.ControlOctets = (nuint)PacketInfo.Write(
                    new Span<byte>(control, MessageBatch.ControlOctets), _isIPv6, path.Local, path.LocalScope);
            }
            if (Send(socket, &entry)) return true;
            byte* shorter = stackalloc byte[TruncatedReply.MaxOctets];
            bool isTooLong = Marshal.GetLastPInvokeError() == LinuxSocketCalls.Emsgsize;
            int shorterOctets = isTooLong
                ? TruncatedReply.Write(answer, new Span<byte>(shorter, TruncatedReply.MaxOctets)) : 0;
            vector.Base = shorter;
            vector.Octets = (nuint)shorterOctets;
            return shorterOctets > 0 && Send(socket, &entry);
        }
    }

    private bool Send(int socket, BatchEntry* entry)
    {
        while (_calls.Send(socket, entry, 1, LinuxSocketCalls.MsgDontWait, BatchCallKind.SendDeferred) != 1)
        {
            if (Marshal.GetLastPInvokeError() != LinuxSocketCalls.Eintr) return false;
        }
        return true;
    }

    private int WriteName(Span<byte> name, in ReplyPath path)
    {
        ClientAddress client = path.Peer;
        BinaryPrimitives.WriteUInt16LittleEndian(name, _isIPv6 ? (ushort)IPv6Family : (ushort)IPv4Family);
        BinaryPrimitives.WriteUInt16BigEndian(name[2..], client.Port);
        if (!_isIPv6)
        {
            client.Address[12..].CopyTo(name[4..]);
            return MessageBatch.IPv4NameOctets;
        }
        client.Address.CopyTo(name[8..]);
        BinaryPrimitives.WriteUInt32LittleEndian(name[24..], path.ClientScope);
        return MessageBatch.IPv6NameOctets;
    }
}
