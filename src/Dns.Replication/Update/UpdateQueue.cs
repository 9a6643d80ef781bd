using System.Diagnostics.CodeAnalysis;

namespace Dns.Replication.Update;

/// <summary>
/// The queued updates of a zone. Clients take turns, each with its updates in order, and a client has at most half of
/// the room that is left: one with slow updates neither delays nor crowds out the others. Not thread-safe.
/// </summary>
/// <param name="most">The maximum number of updates.</param>
internal sealed class UpdateQueue(int most)
{
    private readonly Dictionary<UpdateAccount, Queue<UpdateRequest>> _ofClients = [];
    private readonly Queue<UpdateAccount> _turns = [];

    internal int Count { get; private set; }

    /// <summary>Adds an update; false if there is no room for one of its client.</summary>
    internal bool TryAdd(UpdateRequest request)
    {
        UpdateAccount client = request.Account;
        bool isKnown = _ofClients.TryGetValue(client, out Queue<UpdateRequest>? own);
        if ((own?.Count ?? 0) >= most - Count) return false;
        if (!isKnown)
        {
            _ofClients.Add(client, own = []);
            _turns.Enqueue(client);
        }
        own!.Enqueue(request);
        Count++;
        return true;
    }

    /// <summary>Takes the next update of the client whose turn it is.</summary>
    internal bool TryTake([NotNullWhen(true)] out UpdateRequest? request)
    {
        request = null;
        if (!_turns.TryDequeue(out UpdateAccount client)) return false;
        Queue<UpdateRequest> own = _ofClients[client];
        request = own.Dequeue();
        Count--;
        if (own.Count > 0) _turns.Enqueue(client);
        else _ofClients.Remove(client);
        return true;
    }
}
