module limits-go

go 1.19
