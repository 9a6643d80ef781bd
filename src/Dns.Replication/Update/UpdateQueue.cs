namespace Dns.Replication.Update;

/// <summary>
/// The queued writes of a zone. Clients take turns, each with its writes in order, and a client has at most half of the
/// room that is left: one with slow writes neither delays nor crowds out the others. Thread-safe.
/// </summary>
/// <param name="most">The maximum number of writes.</param>
internal sealed class UpdateQueue(int most)
{
    private readonly Lock _gate = new();
    private readonly Dictionary<UpdateAccount, Queue<QueuedWrite>> _ofClients = [];
    private readonly Queue<UpdateAccount> _turns = [];
    private bool _isScheduled;

    internal int Count { get; private set; }

    /// <summary>Adds a write; false if there is no room for one of its client.</summary>
    internal bool TryAdd(QueuedWrite write)
    {
        lock (_gate)
        {
            UpdateAccount client = write.Account;
            bool isKnown = _ofClients.TryGetValue(client, out Queue<QueuedWrite>? own);
            if ((own?.Count ?? 0) >= most - Count) return false;
            if (!isKnown)
            {
                _ofClients.Add(client, own = []);
                _turns.Enqueue(client);
            }
            own!.Enqueue(write);
            Count++;
            return true;
        }
    }

    /// <summary>Takes the next write of the client whose turn it is.</summary>
    internal bool TryTake([NotNullWhen(true)] out QueuedWrite? write)
    {
        lock (_gate)
        {
            write = null;
            if (!_turns.TryDequeue(out UpdateAccount client)) return false;
            Queue<QueuedWrite> own = _ofClients[client];
            write = own.Dequeue();
            Count--;
            if (own.Count > 0) _turns.Enqueue(client);
            else _ofClients.Remove(client);
            return true;
        }
    }

    /// <summary>After an addition: whether the zone must be passed to a writer, since none has it.</summary>
    internal bool TrySchedule()
    {
        lock (_gate)
        {
            if (_isScheduled) return false;
            return _isScheduled = true;
        }
    }

    /// <summary>The writer has taken a group; whether it must have the zone again.</summary>
    internal bool EndTurn()
    {
        lock (_gate) return _isScheduled = Count > 0;
    }
}
