module server-go

go 1.19
