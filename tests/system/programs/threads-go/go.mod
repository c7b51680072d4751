module threads-go

go 1.19
