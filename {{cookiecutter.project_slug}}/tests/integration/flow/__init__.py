"""A flow of two tasks, on the kit's own example: what a further task's `FOLLOWS` switches on."""
