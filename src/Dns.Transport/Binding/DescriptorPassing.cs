using System.Net.Sockets;
using System.Runtime.Versioning;

namespace Dns.Transport.Binding;

/// <summary>
/// Passes sockets to another process over a Unix domain socket (SCM_RIGHTS, unix(7)). Both processes then hold the same
/// sockets: either receives what arrives, and nothing is lost when one closes its own.
/// </summary>
/// <remarks>
/// A message is 8 octets and descriptors of listeners of one kind:
/// <code>
/// octet 0        4      5      6        8
///       | all    | kind | zero | here   |    big-endian: number of descriptors in all messages, and in this one
/// </code>
/// A process that supports plain listeners only reads the last four octets as one number, and so refuses other kinds.
/// Failures are <see cref="SocketException"/>.
/// </remarks>
[SupportedOSPlatform("linux")]
public static unsafe class DescriptorPassing
{
    private const int MessageOctets = 8;
    private const int MaxInMessage = 128;
    private const int MaxInAll = 16_384;
    private const int ControlHeader = 16;
    private const int SolSocket = 1, Rights = 1, PeerCredentials = 17;
    private const int CloseOnExec = 0x40000000;

    /// <summary>Whether the peer process runs as the same user, or as root.</summary>
    public static bool IsTrusted(Socket connection, out int process) =>
        TryReadPeer(connection, out process, out uint user) &&
            (user == 0 || user == LinuxSocketCalls.GetEffectiveUser());

    /// <summary>Reads the peer's credentials; for an accepted-from socket those of the listening process.</summary>
    public static bool TryReadPeer(Socket connection, out int process, out uint user)
    {
        // struct ucred: process, user, group, 4 octets each in the machine's order.
        Span<int> credentials = stackalloc int[3];
        int octets = connection.GetRawSocketOption(SolSocket, PeerCredentials, MemoryMarshal.AsBytes(credentials));
        (process, user) = (credentials[0], (uint)credentials[1]);
        return octets == 3 * sizeof(int);
    }

    /// <summary>Sends sockets, which stay open here.</summary>
    public static void Send(Socket connection, IReadOnlyList<OpenListener> sockets)
    {
        int sent = 0;
        do
        {
            int count = CountOfKind(sockets, sent);
            SendSome(connection, sockets, sent, count);
            sent += count;
        }
        while (sent < sockets.Count);
    }

    /// <summary>Receives the descriptors of all sockets; the caller closes them.</summary>
    public static IReadOnlyList<InheritedDescriptor> Receive(Socket connection)
    {
        List<InheritedDescriptor> descriptors = [];
        try
        {
            while (ReceiveSome(connection, descriptors) is var all && descriptors.Count < all)
            {
                if (all > MaxInAll) throw new SocketException((int)SocketError.MessageSize);
            }
            return descriptors;
        }
        catch (SocketException)
        {
            descriptors.ForEach(descriptor => new SafeSocketHandle(descriptor.Number, ownsHandle: true).Dispose());
            throw;
        }
    }

    /// <summary>The number of sockets from an index on that share a message.</summary>
    private static int CountOfKind(IReadOnlyList<OpenListener> sockets, int first)
    {
        int count = 0;
        while (count < MaxInMessage && first + count < sockets.Count &&
            sockets[first + count].Kind == sockets[first].Kind)
        {
            count++;
        }
        return count;
    }

    private static void SendSome(Socket connection, IReadOnlyList<OpenListener> sockets, int first, int count)
    {
        byte* payload = stackalloc byte[MessageOctets];
        byte* control = stackalloc byte[ControlHeader + (MaxInMessage * sizeof(int))];
        BinaryPrimitives.WriteInt32BigEndian(new Span<byte>(payload, 4), sockets.Count);
        payload[4] = count > 0 ? (byte)sockets[first].Kind : (byte)0;
        payload[5] = 0;
        BinaryPrimitives.WriteUInt16BigEndian(new Span<byte>(payload + 6, 2), (ushort)count);
        *(ulong*)control = (ulong)(ControlHeader + (count * sizeof(int)));
        ((int*)control)[2] = SolSocket;
        ((int*)control)[3] = Rights;
        int held = 0;
        try
        {
            for (; held < count; held++)
            {
                bool added = false;
                sockets[first + held].Handle.DangerousAddRef(ref added);
                ((int*)(control + ControlHeader))[held] = (int)sockets[first + held].Handle.DangerousGetHandle();
            }
            IoVector vector = new() { Base = payload, Octets = MessageOctets };
            SocketMessageHeader header = new() { Vectors = &vector, VectorCount = 1 };
            if (count > 0)
            {
                header.Control = control;
                // CMSG_SPACE rounds up to 8 octets.
                header.ControlOctets = (nuint)((ControlHeader + (count * sizeof(int)) + 7) & ~7);
            }
            if (LinuxSocketCalls.SendMessage((int)connection.Handle, &header, 0) != MessageOctets)
                throw new SocketException(Marshal.GetLastPInvokeError());
        }
        finally
        {
            for (int i = 0; i < held; i++) sockets[first + i].Handle.DangerousRelease();
        }
    }

    /// <summary>Receives one message and returns the number of descriptors in all messages.</summary>
    private static int ReceiveSome(Socket connection, List<InheritedDescriptor> descriptors)
    {
        byte* payload = stackalloc byte[MessageOctets];
        byte* control = stackalloc byte[ControlHeader + (MaxInMessage * sizeof(int))];
        IoVector vector = new() { Base = payload, Octets = MessageOctets };
        SocketMessageHeader header = new()
        {
            Vectors = &vector,
            VectorCount = 1,
            Control = control,
            ControlOctets = ControlHeader + (MaxInMessage * sizeof(int)),
        };
        nint octets = LinuxSocketCalls.ReceiveMessage((int)connection.Handle, &header, CloseOnExec);
        if (octets < 0) throw new SocketException(Marshal.GetLastPInvokeError());
        int received = 0;
        bool hasRights =
            header.ControlOctets >= ControlHeader && ((int*)control)[2] == SolSocket && ((int*)control)[3] == Rights;
        if (hasRights)
        {
            received = (int)((*(ulong*)control - ControlHeader) / sizeof(int));
            foreach (int number in new ReadOnlySpan<int>(control + ControlHeader, Math.Min(received, MaxInMessage)))
                descriptors.Add(new InheritedDescriptor(number, (ListenerKind)payload[4]));
        }
        int all = BinaryPrimitives.ReadInt32BigEndian(new ReadOnlySpan<byte>(payload, 4));
        bool isWhole = octets == MessageOctets && Enum.IsDefined((ListenerKind)payload[4]) && payload[5] == 0
            && BinaryPrimitives.ReadUInt16BigEndian(new ReadOnlySpan<byte>(payload + 6, 2)) == received
            && (received > 0 || all == 0);
        return isWhole ? all : throw new SocketException((int)SocketError.ConnectionReset);
    }
}
