using Dns.Bench;

return await BenchCommandTable.Run(args);
