using System.Reflection;
using Xunit.Abstractions;
using Xunit.Sdk;

namespace Dns.Transport.Tests;

/// <summary>
/// A fact of a contract. Classes that inherit it may be marked <see cref="NeedsPrivateNetworkAttribute"/> and
/// are skipped where there can be none; the fact itself cannot know which class it runs in.
/// </summary>
[XunitTestCaseDiscoverer("Dns.Transport.Tests.ContractFactDiscoverer", "Dns.Transport.Tests")]
internal class ContractFactAttribute : FactAttribute;

/// <summary>The same for a theory.</summary>
[XunitTestCaseDiscoverer("Dns.Transport.Tests.ContractTheoryDiscoverer", "Dns.Transport.Tests")]
internal sealed class ContractTheoryAttribute : TheoryAttribute;

/// <summary>Marks a class whose tests run in network namespaces of their own.</summary>
[AttributeUsage(AttributeTargets.Class)]
internal sealed class NeedsPrivateNetworkAttribute : Attribute;

/// <summary>Found by its name.</summary>
public sealed class ContractFactDiscoverer(IMessageSink sink) : FactDiscoverer(sink)
{
    protected override IXunitTestCase CreateTestCase(
        ITestFrameworkDiscoveryOptions options, ITestMethod method, IAttributeInfo fact) =>
        new ContractTestCase(DiagnosticMessageSink, options, method);
}

/// <summary>Found by its name.</summary>
public sealed class ContractTheoryDiscoverer(IMessageSink sink) : TheoryDiscoverer(sink)
{
    protected override IEnumerable<IXunitTestCase> CreateTestCasesForDataRow(
        ITestFrameworkDiscoveryOptions options, ITestMethod method, IAttributeInfo theory, object[] row) =>
        [new ContractTestCase(DiagnosticMessageSink, options, method, row)];
}

/// <summary>A test case that is also skipped for the sake of its class.</summary>
public sealed class ContractTestCase : XunitTestCase
{
    [Obsolete("For the deserializer.")]
    public ContractTestCase()
    {
    }

    public ContractTestCase(
        IMessageSink sink, ITestFrameworkDiscoveryOptions options, ITestMethod method, object[]? row = null)
        : base(sink, options.MethodDisplayOrDefault(), options.MethodDisplayOptionsOrDefault(), method, row)
    {
    }

    protected override string? GetSkipReason(IAttributeInfo factAttribute)
    {
        Type test = TestMethod.TestClass.Class.ToRuntimeType();
        bool lacking = test.IsDefined(typeof(NeedsPrivateNetworkAttribute)) && !PrivateNetworkFactAttribute.Permitted;
        return base.GetSkipReason(factAttribute)
            ?? (lacking ? PrivateNetworkFactAttribute.Reason : null);
    }
}
