namespace Dns.Answering;

/// <content>The view of a query, and its zone in that view.</content>
public sealed partial class Responder
{
    /// <summary>The view of a client's query without RD and key.</summary>
    public View ViewOf(in ClientAddress client, DnsTransport transport) =>
        _hasViews ? _views[_views.Choose(new ViewQuery(in client, transport, false, null))] : _views.Default;

    /// <summary>Enters a view, and its zones of this moment.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void EnterView(scoped ref QueryContext context, View view)
    {
        context.View = view;
        context.Zones = view.Zones.Current;
    }

    /// <summary>
    /// Chooses the view of a query, and finds the zone of its name there. For a signed query once more when its
    /// signature is verified: only then its key counts.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void FindZone(scoped ref QueryContext context, TsigKey? key = null)
    {
        if (_hasViews) ChooseView(ref context, key);
        context.ZoneSlot =
            ZoneChoice.Find(context.Zones, in context.Query.Name, context.Query.Type, out context.ApexSkip);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ChooseView(scoped ref QueryContext context, TsigKey? key = null)
    {
        bool recursionDesired = (MessageHeader.Flags(context.Message) & MessageHeader.RecursionDesired) != 0;
        context.ViewAt = _views.Choose(new ViewQuery(ref context.Client, context.Transport, recursionDesired, key));
        EnterView(ref context, _views[context.ViewAt]);
    }
}
