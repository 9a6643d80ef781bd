namespace Dns.Answering.Views;

/// <summary>The views of a server in their order, and the choice of one for each query. Immutable.</summary>
/// <remarks>A single view is not chosen: it costs a query nothing.</remarks>
public sealed class ViewSet
{
    private readonly View[] _views;
    private readonly IViewChooser? _chooser;

    /// <summary>A single view.</summary>
    public ViewSet(View only) => _views = [only];

    /// <summary>Several views.</summary>
    /// <param name="views">In the order of the settings, the default one last; 1 to 65,535.</param>
    /// <exception cref="ArgumentException">Two have the same name or number.</exception>
    public ViewSet(IReadOnlyList<View> views, IViewChooser chooser)
    {
        ArgumentOutOfRangeException.ThrowIfZero(views.Count, nameof(views));
        _views = [.. views];
        for (int i = 1; i < _views.Length; i++)
            if (Array.FindIndex(_views, view => IsLike(view, _views[i])) < i)
                throw new ArgumentException($"two views have the name or number of {_views[i].Name}", nameof(views));
        _chooser = views.Count > 1 ? chooser : null;
    }

    /// <summary>The views in their order.</summary>
    public IReadOnlyList<View> All => _views;

    /// <summary>The last view.</summary>
    public View Default => _views[^1];

    /// <summary>Whether a view is chosen for each query.</summary>
    internal bool HasSeveral => _chooser is not null;

    /// <summary>The view of a name; null if there is none.</summary>
    public View? Find(string name) => Array.Find(_views, view => view.Name == name);

    /// <summary>The position of the view for a query.</summary>
    internal int Choose(scoped in ViewQuery query) => _chooser!.Choose(in query);

    internal View this[int position] => _views[position];

    private static bool IsLike(View one, View other) => one.Number == other.Number || one.Name == other.Name;
}
