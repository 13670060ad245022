from stamina import retry  #! OAS-X1
