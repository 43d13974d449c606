"""Human evaluation (the paper, appendix C.2): who plays what, what they answer, how far judges agree with them."""
