module dynamic

go 1.19
