using Dns.Bench;

return await VerbTable.Run(args);
